import { expect, test } from "vitest";
import { type Expected, longestFirst, worthSharing } from "./readings.ts";
import type { RuleType } from "./rules/configuration.ts";

const rule = (type: RuleType, executionTimeMs?: number, couldRun = true): Expected => ({
  type,
  ...(executionTimeMs !== undefined && { lastRun: { executionTimeMs, couldRun } }),
});

test("what took longest the last time comes first, a shared scan with all of its rules", () => {
  const scan = [rule("Volume", 300), rule("NullRate", 300)];
  const [unique, pattern] = [[rule("Uniqueness", 500)], [rule("Pattern", 700)]];
  // 700, 300 + 300, 500
  expect(longestFirst([unique, scan, pattern])).toEqual([pattern, scan, unique]);
});

test("what has not run yet goes by its type, and custom SQL, of which nothing is known, first", () => {
  const readings = [
    [rule("Volume"), rule("NullRate")],
    [rule("Referential")],
    [rule("Uniqueness")],
    [rule("CustomSql")],
  ];
  expect(longestFirst(readings)).toEqual(readings.toReversed());
});

test("a rule that could not run the last time shares no scan, unless none could", () => {
  const [sound, failed, fresh] = [rule("Volume", 10), rule("Range", 10, false), rule("NullRate")];
  expect(worthSharing([sound, failed, fresh])).toEqual([sound, fresh]);
  expect(worthSharing([failed, failed])).toEqual([failed, failed]);
  expect(worthSharing([])).toEqual([]);
});
