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

describe("what is well is left alone", () => {
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
