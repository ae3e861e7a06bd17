import { expect, test } from "vitest";
import { everyStanding, rankOf, type Standing, standingKey, urgencyOf } from "./rank.ts";

const standing = (concern: Standing["concern"], more: Partial<Standing> = {}): Standing => ({
  concern,
  severity: null,
  holder: "Nobody",
  ...more,
});

const inOrder = (standings: Standing[]) =>
  standings.toSorted((a, b) => rankOf(a) - rankOf(b)).map((each) => standingKey(each));

test.each([
  [standing("Failing"), "Critical"],
  [standing("CouldNotRun"), "High"],
  [standing("Task", { severity: "Low" }), "Low"],
  [standing("Task", { severity: "Critical" }), "Critical"],
  [standing("Task", { severity: "Critical", holder: "Other" }), "Low"],
  [standing("Findings", { severity: "High" }), "High"],
  [standing("NeverEvaluated"), "Low"],
] as const)("%j is of urgency %s", (given, urgency) => {
  expect(urgencyOf(given)).toBe(urgency);
});

test("worst first: urgency, then the concern, then whose it is", () => {
  expect(
    inOrder([
      standing("NeverEvaluated"),
      standing("Task", { severity: "Medium", holder: "Nobody" }),
      standing("Task", { severity: "Critical", holder: "Other" }),
      standing("Task", { severity: "Medium", holder: "Mine" }),
      standing("Found"),
      standing("Findings", { severity: "Critical" }),
      standing("BelowThreshold"),
      standing("Failing"),
      standing("Undelivered"),
    ]),
  ).toEqual([
    "Failing - Nobody",
    "Findings Critical Nobody",
    "BelowThreshold - Nobody",
    "Undelivered - Nobody",
    "Found - Nobody",
    "Task Medium Mine",
    "Task Medium Nobody",
    "Task Critical Other",
    "NeverEvaluated - Nobody",
  ]);
});

test("a worse urgency is never ranked behind a better one", () => {
  const order = { Critical: 0, High: 1, Medium: 2, Low: 3 };
  const ranked = everyStanding
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((each) => order[urgencyOf(each)]);
  expect(ranked).toEqual(ranked.toSorted((a, b) => a - b));
});

test("each standing has its own key", () => {
  expect(new Set(everyStanding.map(standingKey)).size).toBe(everyStanding.length);
});
