import { expect, test } from "vitest";
import type { FieldChange } from "./schema.ts";
import { editsInWords } from "./words.ts";

const by = (name: string) => ({ kind: "User" as const, id: 1, name });
const at = new Date("2025-11-20T10:42:59Z");
const field = (path: string): FieldChange => ({ path, change: "Changed", name: null });
const rule = (name: string, change: FieldChange["change"]): FieldChange => ({
  path: "rules.k",
  change,
  name,
});

test("who changed what, when", () => {
  expect(
    editsInWords([
      { revision: 2, at, by: by("Anna"), changes: [field("failureThreshold"), rule("Fresh", "Added")] },
      {
        revision: 3,
        at,
        by: by("Ben"),
        changes: [rule("Fresh", "Removed"), field("name"), field("samples")],
      },
    ]),
  ).toBe(
    "Anna changed failureThreshold and added the rule “Fresh” at 2025-11-20 10:42 UTC. " +
      "Ben changed name and samples and removed the rule “Fresh” at 2025-11-20 10:42 UTC.",
  );
});

test("many changes are counted, and an edit that changed nothing is left out", () => {
  const paths = ["a", "b", "c", "d", "e", "f", "g"];
  expect(
    editsInWords([
      { revision: 2, at, by: by("Anna"), changes: paths.map(field) },
      { revision: 3, at, by: by("Ben"), changes: [] },
    ]),
  ).toBe("Anna changed a, b, c, d and e and made 2 more changes at 2025-11-20 10:42 UTC.");
});
