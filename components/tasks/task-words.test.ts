import { expect, test } from "vitest";
import { foundWords, isSnoozed } from "./task-words.ts";

const now = Date.parse("2025-11-20T14:00:00Z");

test("a task is snoozed until its time has come or it is resolved", () => {
  const until = (snoozedUntil: string | null, status: "Open" | "Resolved" = "Open") =>
    isSnoozed({ status, snoozedUntil }, now);
  expect(until("2025-11-20T14:00:01.000Z")).toBe(true);
  expect(until("2025-11-20T14:00:00.000Z")).toBe(false);
  expect(until(null)).toBe(false);
  expect(until("2025-11-21T00:00:00.000Z", "Resolved")).toBe(false);
});

test("rows found a single time were found once, not 1 times", () => {
  expect([1, 2, 25].map(foundWords)).toEqual(["once", "2 times", "25 times"]);
});
