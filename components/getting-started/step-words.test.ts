import { expect, test } from "vitest";
import type { Guide } from "@/server/getting-started/schema.ts";
import * as words from "./step-words.ts";

const { nextStep } = words;
/** Figures and their units are joined by spaces that do not break. */
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;
const costWords = (scan: Guide["scan"]) => plain(words.costWords(scan));
const resultWords = (step: Guide["steps"][number]["step"], guide: Guide) =>
  plain(words.resultWords(step, guide));

const scan = {
  ...{ status: "Completed" as const, tables: 12, rowsRead: 1_204_000 },
  ...{ startedAt: "2026-01-01T10:00:00.000Z", finishedAt: "2026-01-01T10:00:03.400Z" },
};
const guide: Guide = {
  ...{ projectId: 1, isOver: false, isDismissed: false, scan },
  source: { id: 1, name: "Shop database", projectId: 1 },
  contract: { id: 1, name: "Orders", recipientCount: 0, threshold: 80, score: null },
  recipient: { id: 1, name: "Keepers", projectId: 1, wasReached: false },
  steps: [
    { step: "Connect", state: "Done" },
    { step: "Tables", state: "Skipped" },
    { step: "Rules", state: "Open" },
    { step: "Recipient", state: "Open" },
    { step: "Score", state: "Open" },
  ],
};

test("a scan's cost is what was read, and how long it took", () => {
  expect(costWords(null)).toBe(null);
  expect(costWords(scan)).toBe("12 tables and 1.2 M rows read in 3.4 s");
  expect(costWords({ ...scan, tables: 1, rowsRead: 1, finishedAt: null })).toBe(
    "1 table and 1 row read so far",
  );
});

test("each step says what has come of it", () => {
  expect(guide.steps.map(({ step }) => resultWords(step, guide))).toEqual([
    "Shop database",
    "12 tables and 1.2 M rows read in 3.4 s",
    "Orders",
    "Keepers, not tested yet",
    null,
  ]);
  expect(resultWords("Tables", { ...guide, scan: { ...scan, status: "Failed" } })).toBe("The scan failed");
  const scored = {
    ...guide,
    contract: { id: 1, name: "Orders", recipientCount: 0, threshold: 80, score: 0 },
  };
  expect(resultWords("Score", scored)).toBe("Orders: 0");
});

test("the next step is the first that is neither done nor skipped", () => {
  expect(nextStep(guide)).toBe("Rules");
  expect(nextStep({ steps: [{ step: "Connect", state: "Skipped" }] })).toBe(null);
});
