import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { causeKinds } from "./schema.ts";

/** What only users are sent, as emails. */
const ofUsers = ["Monitor", "Task", "PersonalDigest"];

test("docs/notifications.md lists each type that a webhook receives", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/notifications.md"), "utf8");
  const listed = [...docs.matchAll(/^\| `notification\.(\w+)` \|/gm)].map(([, kind]) => kind);
  const sent = causeKinds.filter((kind) => !ofUsers.includes(kind)).map((kind) => kind.toLowerCase());
  expect(listed.toSorted()).toEqual(sent.toSorted());
});
