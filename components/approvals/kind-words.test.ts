import { expect, test } from "vitest";
import { kindWords } from "./kind-words.ts";

const version = (number: number) => ({
  ...{ number, status: "Active" as const, steps: [], changeSummary: null, createdBy: null },
  createdAt: "2026-01-01T00:00:00.000Z",
});
const facts = (subscriptionCount: number) => ({
  ...{ queryName: "Orders per day", subscriptionCount, baseVersion: 2, proposedVersion: version(3) },
});

test("an archive request names the query and the number of subscriptions archived with it", () => {
  expect(kindWords.Archive.title(facts(3))).toBe("Archive “Orders per day” with 3 subscriptions");
  expect(kindWords.Archive.title(facts(0))).toBe("Archive “Orders per day”");
  expect(kindWords.Archive.consequence(facts(1))).toBe(
    "Once it is approved, the query and 1 subscription are archived: nothing runs and nobody is notified. Until then, 1 subscription runs it as before.",
  );
});

test("a first run says what starts", () => {
  expect(kindWords.FirstRun.title(facts(1))).toBe("Run “Orders per day” on a schedule for the first time");
  expect(kindWords.FirstRun.consequence(facts(2))).toBe(
    "Once it is approved, 2 subscriptions run it on schedule. Until then, nothing runs.",
  );
});

test("a change says which version replaces which", () => {
  expect(kindWords.Change.consequence(facts(2))).toBe(
    "Once it is approved, version 3 runs instead of version 2, in 2 subscriptions.",
  );
});
