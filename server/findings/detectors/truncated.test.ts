import { describe, expect, test } from "vitest";
import { databaseOf, dayAfter, momentAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { truncated } from "./truncated.ts";

const seeds = [1, 2, 3, 4, 5];
const say = (...tables: Parameters<typeof databaseOf>) => saidBy(truncated, databaseOf(...tables));

/** Rows by day: fewer at weekends, more in summer and more each year; `share` of them on days that are given. */
function daily(name: string, seed: number, share: (day: number) => number, days = 700) {
  const random = randomOf(seed);
  const cells: string[] = [];
  for (let day = 0; day < days; day++) {
    const weekday = new Date(`${dayAfter("2023-01-01", day)}T00:00:00Z`).getUTCDay();
    const mean = (weekday % 6 === 0 ? 12 : 40) * (1 + 0.3 * Math.sin(day / 58)) * (1 + day / 700);
    for (let count = Math.round(random.poisson(mean) * share(day)); count > 0; count--)
      cells.push(momentAfter("2023-01-01", day * 86_400 + random.whole(0, 86_399)));
  }
  return tableOf(name, {
    id: ["integer", cells.map((_, row) => row)],
    created_at: ["time", cells],
  });
}

describe("what is wrong is found", () => {
  test.each(seeds)("a day without rows, and one with a tenth (seed %i)", (seed) => {
    // Day 300 of 2023-01-01 is 2023-10-28; day 401 is 2024-02-06.
    const said = say(daily("orders", seed, (day) => (day === 300 ? 0 : day === 401 ? 0.1 : 1)));
    expect(said.map(({ evidence }) => evidence.since)).toEqual(["2023-10-28", "2024-02-06"]);
    expect(said[0]?.statement).toMatch(
      /^No row of orders has a created_at on 2023-10-28, where \d+ are usual\.$/,
    );
  });

  test("the days around a hole are kept, with what is usual then", () => {
    const days = say(daily("orders", 1, (day) => (day === 300 ? 0 : 1)))[0]?.evidence.timeline;
    expect([days?.column, days?.unit]).toEqual(["created_at", "Day"]);
    // 60 days, 30 of them before the hole.
    expect(days?.periods.map(({ start }) => start).at(0)).toBe("2023-09-28");
    expect(days?.periods.map(({ start }) => start).at(-1)).toBe("2023-11-26");
    expect(days?.periods.filter(({ isInDoubt }) => isInDoubt)).toEqual([
      { start: "2023-10-28", rows: 0, usual: expect.any(Number), isInDoubt: true },
    ]);
    expect(days?.periods.every(({ rows, isInDoubt }) => isInDoubt || rows > 0)).toBe(true);
  });

  test.each(seeds)("orders at the end without lines (seed %i)", (seed) => {
    const random = randomOf(seed);
    const lines = Array.from({ length: 460 }, (_, row) => row + 1).flatMap((order) =>
      Array.from({ length: random.whole(1, 4) }, () => order),
    );
    const said = say(
      tableOf("orders", { id: ["integer", Array.from({ length: 500 }, (_, row) => row + 1)] }),
      tableOf("order_lines", { order_id: ["integer", lines] }),
    );
    expect(said.map(({ statement }) => statement)).toEqual([
      "The last 40 rows of orders, from id 461 on, have none in order_lines; 100.0 % of the others have some.",
    ]);
  });

  test("a part with a tenth of the rows of the others", () => {
    const part = (year: number, rows: number) =>
      tableOf(`sales_${year}`, { amount: ["integer", Array.from({ length: rows }, (_, row) => row)] });
    const said = say(part(2021, 900), part(2022, 95), part(2023, 1100), part(2024, 90));
    expect(said.map(({ table }) => table.tableName)).toEqual([]);
    const whole = say(part(2021, 900), part(2022, 95), part(2023, 1100), part(2024, 1200));
    expect(whole.map(({ table }) => table.tableName)).toEqual(["sales_2022"]);
  });
});

describe("what is well is left alone", () => {
  test.each(seeds)("seasons, weekends, growth, Christmas and an unfinished last day (seed %i)", (seed) => {
    // Day 358 is 2023-12-25.
    expect(say(daily("orders", seed, (day) => (day === 358 ? 0.05 : day === 699 ? 0.2 : 1)))).toEqual([]);
  });

  test.each(seeds)("a shop that is closed on Sundays, and counts that go up and down (seed %i)", (seed) => {
    const random = randomOf(seed);
    // Day 0 is a Sunday.
    expect(say(daily("shop", seed, (day) => (day % 7 === 0 ? 0 : 1)))).toEqual([]);
    expect(say(daily("bursts", seed, () => Math.exp(random.normal())))).toEqual([]);
    let level = 0;
    const walk = Array.from({ length: 700 }, () => {
      level += random.normal() * 0.1;
      return Math.exp(level);
    });
    expect(say(daily("walk", seed, (day) => Math.min(3, walk[day] ?? 1)))).toEqual([]);
  });

  test.each(seeds)("customers who have not ordered yet (seed %i)", (seed) => {
    const random = randomOf(seed);
    const orders = Array.from({ length: 1500 }, () => random.whole(1, 480));
    expect(
      say(
        tableOf("customers", { id: ["integer", Array.from({ length: 500 }, (_, row) => row + 1)] }),
        tableOf("orders", { customer_id: ["integer", orders.filter((id) => id % 5 !== 0)] }),
      ),
    ).toEqual([]);
  });
});
