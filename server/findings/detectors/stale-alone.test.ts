import { describe, expect, test } from "vitest";
import { saidBy, tableOf } from "../corpus.fixture.ts";
import { findingsIn } from "../find.ts";
import { shownFrom } from "../judge.ts";
import { stale } from "./stale.ts";
import { loadedTable, momentOfDay, quiet, rhythms } from "./stops.fixture.ts";

const seeds = [1, 2, 3, 4, 5];

/** What is shown of a table that is alone in its database. */
const shownOf = (table: ReturnType<typeof loadedTable>, now: number) =>
  findingsIn({ tables: [table], now })
    .filter(({ candidate, confidence }) => candidate.kind === "Stale" && confidence >= shownFrom)
    .map(({ candidate }) => candidate);

/** After so many days without a row, a table is said to have stopped; and not yet after so many. */
const stops: Record<string, { days: number; found: number; notYet: number }> = {
  hourly: { days: 90, found: 3, notYet: 1 },
  daily: { days: 400, found: 7, notYet: 4 },
  "on workdays": { days: 400, found: 12, notYet: 4 },
  weekly: { days: 500, found: 30, notYet: 5 },
  "on the 1st": { days: 700, found: 70, notYet: 30 },
  "on the last workday of a month": { days: 700, found: 75, notYet: 30 },
  "over the first days of a month": { days: 700, found: 95, notYet: 40 },
  "each fortnight, more or less": { days: 700, found: 70, notYet: 20 },
  "each quarter": { days: 1200, found: 190, notYet: 90 },
};

describe.each(Object.entries(stops))(
  "a table that is loaded %s, and has no others beside it",
  (name, stop) => {
    const loadedUntil = (seed: number) => loadedTable("ledger", rhythms[name] ?? (() => []), seed, stop);

    test.each(seeds)("is found when it stops (seed %i)", (seed) => {
      const said = shownOf(loadedUntil(seed), momentOfDay(stop.days + stop.found));
      expect(said.map(({ columns }) => columns)).toEqual([["loaded_at"]]);
    });

    test.each(seeds)("is left alone while the next load may be on its way (seed %i)", (seed) => {
      expect(shownOf(loadedUntil(seed), momentOfDay(stop.days + stop.notYet))).toEqual([]);
    });

    test("is left alone in a copy, into which nothing comes", () => {
      const [table, now] = [loadedUntil(1), momentOfDay(stop.days + stop.found)];
      expect(saidBy(stale, { tables: [table], now, isCopy: true })).toEqual([]);
    });
  },
);

describe.each(Object.entries(quiet))("%s", (_, { arrivals, days, now, column }) => {
  test.each([...seeds, 6, 7, 8])("is left alone (seed %i)", (seed) => {
    const table = loadedTable("things", arrivals, seed, { days, ...(column && { column }) });
    expect(saidBy(stale, { tables: [table], now: momentOfDay(now) })).toEqual([]);
  });
});

test("the sentence names the last load, and what was the longest silence until then", () => {
  // Day 735 is 2025-01-06: the last whole month is December, and day 770 is 2025-02-10.
  const table = loadedTable("ledger", rhythms["on the 1st"] ?? (() => []), 1, { days: 735 });
  const [said] = saidBy(stale, { tables: [table], now: momentOfDay(770) });
  expect(said?.statement).toBe(
    "No row of ledger has a loaded_at after 2024-12-01, 71 days of silence; until then it was never longer than 31 days.",
  );
  expect(said?.rule).toEqual({
    type: "Freshness",
    // Twice 31 days, and one more.
    configuration: { column: "loaded_at", maxAgeMinutes: 63 * 1440 },
  });
});

test("a copy from then is told by what else is in it", () => {
  const [table, now] = [
    loadedTable("ledger", rhythms.daily ?? (() => []), 1, { days: 400 }),
    momentOfDay(420),
  ];
  const others = (last: string) =>
    tableOf("notes", { id: ["integer", [1, 2]], written: ["date", ["2023-05-01", last]] });
  // Day 400 is 2024-02-06, and day 420 is 2024-02-26.
  expect(saidBy(stale, { tables: [table, others("2024-02-05")], now })).toEqual([]);
  expect(saidBy(stale, { tables: [table, others("2024-02-25")], now })).toHaveLength(1);
});

test("arrivals of some days apart are not hidden by a date that someone mistyped", () => {
  const fortnights = rhythms["each fortnight, more or less"] ?? (() => []);
  const table = loadedTable("ledger", fortnights, 1, { days: 700, stray: ["1899-12-30 00:00:00"] });
  expect(saidBy(stale, { tables: [table], now: momentOfDay(770) })).toHaveLength(1);
});
