import { describe, expect, test } from "vitest";
import type { Candidate } from "./candidate.ts";
import { rowsAgainst } from "./condition.ts";
import { momentAfter, randomOf, tableOf } from "./corpus.fixture.ts";
import { inOneLoad } from "./one-load.ts";

/** An hour with 40 rows after the other, from 2026-11-10 00:00 on; `isMissing` of the hour and the row in it. */
function hourly(hours: number, isMissing: (hour: number, row: number) => boolean, column = "loaded_at") {
  const rows = Array.from(
    { length: hours * 40 },
    (_, index) => [Math.floor(index / 40), index % 40] as const,
  );
  // As a heap has them: in no order.
  const random = randomOf(7);
  const shuffled = rows
    .map((row) => ({ row, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
  return tableOf("orders", {
    email: ["text", shuffled.map(([hour, row]) => (isMissing(hour, row) ? null : `a${hour}`))],
    [column]: ["time", shuffled.map(([hour, row]) => momentAfter("2026-11-10", hour * 3600 + row * 60))],
  });
}

const missing = (table: ReturnType<typeof hourly>): Candidate => ({
  ...{ kind: "MissingValue", table, columns: ["email"], outOf: table.rowCount, rule: null, features: {} },
  condition: { is: "null", column: "email" },
  rows: rowsAgainst({ is: "null", column: "email" }, table),
  statement: "Some rows have no email.",
  evidence: {},
});

describe("rows that came in one load", () => {
  test("are said to be all since then, with how many they are", () => {
    // From hour 195 on, 2026-11-18 03:00, to the end at hour 199: 5 hours with 40 rows.
    const { statement, evidence } = inOneLoad(missing(hourly(200, (hour) => hour >= 195)));
    expect(statement).toBe(
      "Some rows have no email. These are all 200 rows with a loaded_at since 2026-11-18 03:00.",
    );
    expect(evidence.since).toBe("2026-11-18 03:00");
    const { unit, column, periods = [] } = evidence.timeline ?? {};
    expect([unit, column]).toEqual(["Day", "loaded_at"]);
    // 24 hours with 40 rows on each day, and 8 of them on the last, 5 of them in doubt.
    expect(periods).toHaveLength(9);
    expect(periods[7]).toEqual({ start: "2026-11-17", rows: 960, doubtedRows: 0, isInDoubt: false });
    expect(periods[8]).toEqual({ start: "2026-11-18", rows: 320, doubtedRows: 200, isInDoubt: true });
  });

  test("may have a few sound ones among them, and a few of their like elsewhere", () => {
    // Hours 100 to 102, 2026-11-14 04:00 to 06:39, without the last 2 rows of the middle one; and 3 rows elsewhere.
    const isMissing = (hour: number, row: number) =>
      (hour >= 100 && hour <= 102 && !(hour === 101 && row >= 38)) ||
      (hour % 50 === 7 && row === 0 && hour < 150);
    const { statement } = inOneLoad(missing(hourly(200, isMissing)));
    expect(statement).toBe(
      "Some rows have no email. 118 of these are among the 120 rows with a loaded_at from 2026-11-14 04:00 to 2026-11-14 06:39.",
    );
  });

  test("of a short table are drawn by the hour", () => {
    const { evidence } = inOneLoad(missing(hourly(48, (hour) => hour === 20)));
    expect(evidence.timeline?.unit).toBe("Hour");
    expect(evidence.timeline?.periods).toHaveLength(48);
    expect(evidence.timeline?.periods[20]).toEqual({
      ...{ start: "2026-11-10 20:00", rows: 40, doubtedRows: 40, isInDoubt: true },
    });
  });
});

describe("nothing is said of a load", () => {
  const isUnchanged = (table: ReturnType<typeof hourly>) => {
    const candidate = missing(table);
    expect(candidate.rows.length).toBeGreaterThan(0);
    expect(inOneLoad(candidate)).toBe(candidate);
  };

  test("for rows here and there, for a few, and for a large part of the table", () => {
    isUnchanged(hourly(200, (hour, row) => (hour * 40 + row) % 97 === 0));
    isUnchanged(hourly(200, (hour, row) => hour === 150 && row < 4));
    isUnchanged(hourly(200, (hour) => hour >= 140));
    // Two loads are not one.
    isUnchanged(hourly(200, (hour) => hour === 50 || hour === 150));
  });

  test("by a date of birth, and where the moments themselves are in doubt", () => {
    isUnchanged(hourly(200, (hour) => hour >= 195, "birth_date_loaded"));
    const candidate = missing(hourly(200, (hour) => hour >= 195));
    const doubted = { ...candidate, columns: ["loaded_at"] };
    expect(inOneLoad(doubted)).toBe(doubted);
  });
});
