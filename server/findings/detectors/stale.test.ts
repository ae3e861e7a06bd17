import { describe, expect, test } from "vitest";
import { databaseOf, dayAfter, momentAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { stale } from "./stale.ts";

const seeds = [1, 2, 3, 4, 5];

/** Some rows on each day but Sundays. */
function daily(name: string, seed: number, [from, to]: [number, number], column = "created_at") {
  const random = randomOf(seed);
  const cells: string[] = [];
  for (let day = from; day <= to; day++)
    if (new Date(`${dayAfter("2025-01-01", day)}T00:00:00Z`).getUTCDay() !== 0)
      for (let count = 1 + random.poisson(4); count > 0; count--)
        cells.push(momentAfter("2025-01-01", day * 86_400 + random.whole(0, 86_399)));
  return tableOf(name, { id: ["integer", cells.map((_, row) => row)], [column]: ["time", cells] });
}
const say = (...tables: Parameters<typeof databaseOf>) => saidBy(stale, databaseOf(...tables));

describe("what is wrong is found", () => {
  test.each(seeds)("a table that stopped a month before its siblings (seed %i)", (seed) => {
    const said = say(
      daily("orders", seed, [0, 400]),
      daily("payments", seed + 10, [0, 370]),
      daily("refunds", seed + 20, [0, 400]),
    );
    expect(said.map(({ table }) => table.tableName)).toEqual(["payments"]);
    // Day 370 of 2025-01-01 is 2026-01-06, a Tuesday; Sundays make two days between loads.
    expect(said[0]?.evidence.since).toBe("2026-01-06");
    // 30 days of silence to 2026-02-05, and as many before it.
    const days = said[0]?.evidence.timeline?.periods ?? [];
    expect(days).toHaveLength(60);
    expect(days.at(-1)?.start).toBe("2026-02-05");
    expect(days.filter(({ isInDoubt }) => isInDoubt).map(({ rows }) => rows)).toEqual(Array(30).fill(0));
    expect(days.find(({ isInDoubt }) => isInDoubt)?.start).toBe("2026-01-07");
    expect(days.find(({ start }) => start === "2026-01-06")?.rows).toBeGreaterThan(0);
    expect(said[0]?.rule).toEqual({
      type: "Freshness",
      configuration: { column: "created_at", maxAgeMinutes: 5 * 1440 },
    });
  });
});

/** Ten rows on each workday, none from the 20th of December on to the 6th of January. */
function onWorkdays(name: string, [from, to]: [number, number]) {
  const cells: string[] = [];
  for (let day = from; day <= to; day++) {
    const date = dayAfter("2025-01-01", day);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const isRest = date.slice(5) >= "12-20" || date.slice(5) <= "01-06";
    if (weekday % 6 !== 0 && !isRest) cells.push(...Array.from({ length: 10 }, () => date));
  }
  return tableOf(name, { id: ["integer", cells.map((_, row) => row)], day: ["date", cells] });
}

describe("what is wrong is found in less time than everybody rests", () => {
  test("by the workdays on which others were loaded", () => {
    // Day 480 is 2026-04-26, a Sunday; day 470 is 2026-04-16, a Thursday: six workdays are missing.
    const said = say(
      onWorkdays("orders", [0, 480]),
      onWorkdays("payments", [0, 470]),
      onWorkdays("refunds", [0, 480]),
    );
    expect(said.map(({ table }) => table.tableName)).toEqual(["payments"]);
    expect(said[0]?.statement).toBe(
      "No row of payments has a day after 2026-04-16, 8 days of silence; until then it followed 100 % of the loads of tables that went on.",
    );
  });

  test("and not after two of them", () => {
    // Day 478 is 2026-04-24, the last workday, and day 476 the Wednesday before.
    expect(
      say(onWorkdays("orders", [0, 480]), onWorkdays("payments", [0, 476]), onWorkdays("refunds", [0, 480])),
    ).toEqual([]);
  });
});

describe("what is well is left alone", () => {
  test("a table that ends today, beside one with appointments of tomorrow", () => {
    // The clock stands at the end of 2026: day 729 of 2025-01-01 is 2026-12-31, and 730 is yet to come.
    const said = say(
      daily("readings", 1, [400, 729]),
      daily("visits", 2, [400, 730]),
      daily("calls", 3, [400, 729]),
    );
    expect(said).toEqual([]);
  });

  test.each(seeds)("a table for each year, of which the last goes on (seed %i)", (seed) => {
    expect(
      say(
        daily("orders_2025", seed, [0, 364]),
        daily("orders_2026", seed + 1, [365, 460]),
        daily("payments", seed + 2, [0, 460]),
      ),
    ).toEqual([]);
  });

  test.each(seeds)("a dump of long ago, whose tables end together (seed %i)", (seed) => {
    expect(say(daily("orders", seed, [0, 300]), daily("payments", seed + 1, [0, 299]))).toEqual([]);
  });

  test.each(seeds)(
    "archives, years that follow each other, and a table without siblings (seed %i)",
    (seed) => {
      expect(
        say(
          daily("orders_first", seed, [0, 200]),
          daily("orders_then", seed + 1, [201, 400]),
          daily("old_orders", seed + 2, [0, 90]),
        ),
      ).toEqual([]);
      expect(say(daily("orders", seed, [0, 200]))).toEqual([]);
    },
  );

  test.each(seeds)("births, and rows that seldom come (seed %i)", (seed) => {
    const random = randomOf(seed);
    const people = Array.from({ length: 4000 }, () => dayAfter("2020-01-01", random.whole(0, 2100)));
    const hired = Array.from({ length: 60 }, (_, row) =>
      dayAfter("2022-01-01", row * 20 + random.whole(0, 19)),
    );
    expect(
      say(
        daily("orders", seed, [0, 400]),
        tableOf("people", { born: ["date", people] }),
        tableOf("staff", { created_at: ["date", hired] }),
      ),
    ).toEqual([]);
  });
});
