import { expect, test } from "vitest";
import type { RuleType } from "./rules/rules.ts";
import { type Expected, longestFirst, sharedScanOf } from "./scan-order.ts";

const rule = (type: RuleType, executionTimeMs?: number, couldRun = true): Expected => ({
  type,
  ...(executionTimeMs !== undefined && { lastRun: { executionTimeMs, couldRun } }),
});

test("what took longest last time comes first, with a shared scan counting all of its rules", () => {
  const scan = [rule("Volume", 300), rule("NullRate", 300)];
  const [unique, pattern] = [[rule("Uniqueness", 500)], [rule("Pattern", 700)]];
  // 700, 300 + 300, 500
  expect(longestFirst([unique, scan, pattern])).toEqual([pattern, scan, unique]);
});

test("what has never run is ordered by type, with custom SQL, whose duration is unknown, first", () => {
  const scans = [
    [rule("Volume"), rule("NullRate")],
    [rule("Referential")],
    [rule("Uniqueness")],
    [rule("CustomSql")],
  ];
  expect(longestFirst(scans)).toEqual(scans.toReversed());
});

test("a rule that could not run last time does not share a scan, unless none could", () => {
  const [sound, failed, fresh] = [rule("Volume", 10), rule("Range", 10, false), rule("NullRate")];
  expect(sharedScanOf([sound, failed, fresh])).toEqual([sound, fresh]);
  expect(sharedScanOf([failed, failed])).toEqual([failed, failed]);
  expect(sharedScanOf([])).toEqual([]);
});
