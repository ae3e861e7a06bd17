import { expect, test } from "vitest";
import { periodTime, timelineWords } from "./timeline-words.ts";

const day = (start: string, rows: number, more: { doubtedRows?: number; usual?: number } = {}) => ({
  ...{ start, rows, ...more },
  isInDoubt: more.usual !== undefined || (more.doubtedRows ?? 0) > 0,
});

test("a hole is named with what is usual", () => {
  const periods = [day("2026-11-17", 410), day("2026-11-18", 0, { usual: 412 }), day("2026-11-19", 1398)];
  expect(timelineWords({ column: "created_at", unit: "Day", periods })).toBe(
    "Rows per day by created_at, between 410 and 1,398 rows each. In doubt: 2026-11-18: 0 rows, 412 usual.",
  );
});

test("a load over several hours is named with its rows in doubt", () => {
  const periods = [
    day("2026-11-18 02:00", 40, { doubtedRows: 0 }),
    day("2026-11-18 03:00", 40, { doubtedRows: 38 }),
    day("2026-11-18 04:00", 20, { doubtedRows: 20 }),
  ];
  expect(timelineWords({ column: "loaded_at", unit: "Hour", periods })).toBe(
    "Rows per hour by loaded_at, between 40 and 40 rows each. In doubt: 2026-11-18 03:00 to 2026-11-18 04:00, 58 rows.",
  );
});

test("periods begin by the table's own clock", () => {
  expect(periodTime("2026-11-18")).toBe(Date.UTC(2026, 10, 18));
  expect(periodTime("2026-11-18 03:00")).toBe(Date.UTC(2026, 10, 18, 3));
});
