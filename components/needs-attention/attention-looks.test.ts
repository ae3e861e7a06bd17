import { expect, test } from "vitest";
import { concerns, urgencies } from "@/server/needs-attention/schema.ts";
import { lookOf } from "./attention-looks.ts";

test("nothing that needs attention is green", () => {
  const kinds = concerns.flatMap((concern) => urgencies.map((urgency) => lookOf({ concern, urgency }).kind));
  expect(kinds).not.toContain("ok");
});

test("tasks and findings have the color of their urgency, the others their own", () => {
  expect(lookOf({ concern: "Task", urgency: "Critical" }).kind).toBe("critical");
  expect(lookOf({ concern: "Findings", urgency: "Low" }).kind).toBe("neutral");
  expect(lookOf({ concern: "Found", urgency: "Medium" })).toMatchObject({
    kind: "warning",
    word: "Rows found",
  });
});
