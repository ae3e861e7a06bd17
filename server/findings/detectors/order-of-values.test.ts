import { describe, expect, test } from "vitest";
import type { Detector } from "../candidate.ts";
import { databaseOf, dayAfter, momentAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { disorderIn } from "./order-of-values.ts";

const detect: Detector = (table) => disorderIn(table);
const say = (table: ReturnType<typeof tableOf>) => saidBy(detect, databaseOf(table));
const seeds = [1, 2, 3, 4, 5];
const list = <T>(length: number, cell: (row: number) => T): T[] =>
  Array.from({ length }, (_, row) => cell(row));

describe("what is wrong is found", () => {
  test.each(seeds)("a rental that ended before it began, by any names (seed %i)", (seed) => {
    const random = randomOf(seed);
    const begun = list(600, () => random.whole(0, 700));
    const table = tableOf("verleih", {
      ausgeliehen: ["date", begun.map((day) => dayAfter("2023-01-01", day))],
      zurueck: [
        "date",
        begun.map((day, row) =>
          random.chance(0.1) && row !== 40 && row !== 300
            ? null
            : dayAfter("2023-01-01", row === 40 || row === 300 ? day - 12 : day + random.whole(0, 20)),
        ),
      ],
    });
    const [found, ...others] = say(table);
    expect(others).toEqual([]);
    expect([...(found?.rows ?? [])]).toEqual([40, 300]);
    expect(found?.condition).toEqual({ is: "greater", left: "ausgeliehen", right: "zurueck" });
    expect(found?.statement).toMatch(/^2 of \d+ rows of verleih have ausgeliehen after zurueck/);
    expect(found?.features.sharp).toBeGreaterThan(0.9);
  });

  test("also where the dates are texts, and some are no dates", () => {
    const table = tableOf("cases", {
      opened: ["text", list(300, (row) => (row === 9 ? "soon" : dayAfter("2024-01-01", (row * 7) % 200)))],
      closed: [
        "text",
        list(300, (row) => dayAfter("2024-01-01", ((row * 7) % 200) + (row === 50 ? -40 : 1 + (row % 9)))),
      ],
    });
    const [found, ...others] = say(table);
    expect(others).toEqual([]);
    expect([...(found?.rows ?? [])]).toEqual([50]);
    expect(found?.condition).toEqual({ is: "greater", left: "opened", right: "closed", areMoments: true });
  });

  test.each(seeds)("of three moments, the one that is out of order beside both others (seed %i)", (seed) => {
    const random = randomOf(seed);
    const start = list(500, () => random.whole(0, 40_000_000));
    const times = (later: (row: number) => number) =>
      list(500, (row) => momentAfter("2024-01-01", (start[row] ?? 0) + later(row)));
    const table = tableOf("orders", {
      created: ["time", times((row) => (row === 77 ? 900_000 : 0))],
      packed: ["time", times(() => random.whole(60, 20_000))],
      sent: ["time", times(() => random.whole(20_001, 300_000))],
    });
    const said = say(table);
    expect(said.map(({ rows }) => [...rows])).toContainEqual([77]);
    expect(said.every(({ columns }) => columns.join() === "created")).toBe(true);
  });

  test.each(seeds)("a least above the most, among numbers that are often the same (seed %i)", (seed) => {
    const random = randomOf(seed);
    const asked = list(800, () => Math.round(Math.exp(4 + random.normal())));
    const table = tableOf("lines", {
      asked: ["integer", asked],
      given: [
        "integer",
        asked.map((n, row) => (row === 9 ? n + 30 : random.chance(0.8) ? n : Math.floor(n * random.next()))),
      ],
    });
    const [found, ...others] = say(table);
    expect(others).toEqual([]);
    expect([...(found?.rows ?? [])]).toEqual([9]);
    expect(found?.condition).toEqual({ is: "greater", left: "given", right: "asked" });
  });

  test.each(seeds)(
    "more was granted than asked for, where often all of it or nothing is (seed %i)",
    (seed) => {
      const random = randomOf(seed);
      const asked = list(600, () => random.whole(1, 60) / 2);
      const granted = asked.map((n) => {
        const luck = random.next();
        return luck < 0.35 ? 0 : luck < 0.75 ? n : Math.ceil(n * random.next() * 2) / 2;
      });
      const table = tableOf("proposals", {
        asked: ["decimal", asked.map((n) => n.toFixed(2))],
        granted: ["decimal", granted.with(33, (asked[33] ?? 0) + 12).map((n) => n.toFixed(2))],
      });
      expect(say(table).map(({ rows }) => [...rows])).toEqual([[33]]);
    },
  );

  test.each(seeds)("names tell of numbers that are never the same (seed %i)", (seed) => {
    const random = randomOf(seed);
    const low = list(300, () => random.normal() * 12 + 8);
    const table = tableOf("weather", {
      temp_min: ["decimal", low.map((t) => t.toFixed(1))],
      temp_max: [
        "decimal",
        low.map((t, row) => (row === 120 ? t - 7 : t + 3 + random.next() * 12).toFixed(1)),
      ],
    });
    expect(say(table).map(({ rows }) => [...rows])).toEqual([[120]]);
  });
});

describe("what is well is left alone", () => {
  test.each(seeds)("numbers that have nothing to do with each other (seed %i)", (seed) => {
    const random = randomOf(seed);
    const table = tableOf("mixed", {
      quantity: ["integer", list(2000, () => random.poisson(3) + 1)],
      price: ["decimal", list(2000, () => Math.exp(3 + random.normal()).toFixed(2))],
      weight: ["decimal", list(2000, () => Math.exp(1 + random.normal()).toFixed(2))],
      stock: ["integer", list(2000, () => random.poisson(40))],
      zeros: ["integer", list(2000, () => (random.chance(0.8) ? 0 : random.whole(1, 50)))],
      more_zeros: ["integer", list(2000, () => (random.chance(0.8) ? 0 : random.whole(50, 90)))],
      parent_id: ["integer", list(2000, (row) => Math.floor(row / 2))],
      id: ["integer", list(2000, (row) => row + (row === 1000 ? -700 : 0))],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("moments on either side of each other, and births long before (seed %i)", (seed) => {
    const random = randomOf(seed);
    const table = tableOf("people", {
      born: ["date", list(900, () => dayAfter("1950-01-01", random.whole(0, 15_000)))],
      hired: ["date", list(900, () => dayAfter("2005-01-01", random.whole(0, 6000)))],
      seen: ["date", list(900, () => dayAfter("2010-01-01", random.whole(0, 6000)))],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("the day on which a record came in, beside when it was made (seed %i)", (seed) => {
    const random = randomOf(seed);
    const made = list(1500, () => random.whole(0, 9_000_000));
    const late = (row: number) => (row % 80 === 0 ? 200_000 : 0);
    const table = (slip: number) =>
      tableOf("events", {
        // The clock of a device may be behind its midnight by no more than the day.
        partition_day: [
          "date",
          made.map((seconds, row) =>
            momentAfter("2025-01-01", seconds + late(row) + (row === slip ? -400_000 : 0)).slice(0, 10),
          ),
        ],
        made_at: ["time", made.map((seconds) => momentAfter("2025-01-01", seconds))],
      });
    expect(say(table(-1))).toEqual([]);
  });

  test.each(seeds)("a credit note, of which net is above gross and all agrees (seed %i)", (seed) => {
    const random = randomOf(seed);
    const net = list(900, (row) => random.whole(100, 90_000) * (row % 90 === 1 ? -1 : 1));
    const tax = net.map((cents) => Math.round(cents * 0.19));
    const text = (cents: number) => (cents / 100).toFixed(2);
    const table = (slip: number) =>
      tableOf("invoices", {
        net: ["decimal", net.map(text)],
        tax: ["decimal", tax.map(text)],
        gross: ["decimal", net.map((cents, row) => text(cents + (tax[row] ?? 0) * (row === slip ? -1 : 1)))],
      });
    expect(say(table(-1))).toEqual([]);
  });

  test.each(seeds)("a day that begins before the moments in it (seed %i)", (seed) => {
    const random = randomOf(seed);
    const start = list(400, () => random.whole(0, 300));
    const table = tableOf("visits", {
      at: ["time", start.map((day) => momentAfter("2024-01-01", day * 86_400 + random.whole(0, 86_399)))],
      billed: [
        "date",
        start.map((day, row) => dayAfter("2024-01-01", day + (row % 80 === 0 ? 0 : random.whole(1, 9)))),
      ],
    });
    expect(say(table)).toEqual([]);
  });

  test.each(seeds)("a day by the clock of the place, beside moments in UTC (seed %i)", (seed) => {
    const random = randomOf(seed);
    const started = list(900, (row) => row * 9000 + random.whole(0, 8999));
    // Half are over on the next day; a few that begin before midnight in UTC are over before it, too.
    const ended = started.map((at) => at + (random.chance(0.5) ? 100_000 : 600));
    const local = started.map((at) => dayAfter("2024-01-01", Math.floor((at + 3600) / 86_400)));
    const isEarly = (row: number) => (started[row] ?? 0) % 86_400 > 82_800 && row % 6 > 0;
    const days = local.map((day, row) =>
      isEarly(row) ? dayAfter("2024-01-01", Math.floor((started[row] ?? 0) / 86_400)) : day,
    );
    const sessions = (dates: readonly string[]) =>
      tableOf("sessions", {
        ended_at: ["time", ended.map((at) => momentAfter("2024-01-01", at))],
        local_date: ["date", dates],
      });
    expect(say(sessions(days))).toEqual([]);
    const [found] = say(sessions(days.with(400, dayAfter(days[400] ?? "", 10))));
    expect([...(found?.rows ?? [])]).toContain(400);
  });

  test.each(seeds)(
    "parcels that are late now and then are said to be a habit, not a law (seed %i)",
    (seed) => {
      const random = randomOf(seed);
      const ordered = list(1500, () => random.whole(0, 600));
      const table = tableOf("parcels", {
        arrived: [
          "date",
          ordered.map((day) =>
            dayAfter("2023-01-01", day + Math.max(0, Math.round(20 + random.normal() * 8))),
          ),
        ],
        required: ["date", ordered.map((day) => dayAfter("2023-01-01", day + 40))],
      });
      for (const { features } of say(table)) {
        expect(features.sharp).toBeLessThan(0.8);
        expect(features.planned).toBe(1);
      }
    },
  );

  test("a row that was changed again after it was due", () => {
    const due = list(900, (row) => 10 + (row % 300));
    const table = tableOf("orders", {
      due: ["date", due.map((day) => dayAfter("2024-01-01", day))],
      modifieddate: [
        "date",
        due.map((day, row) => dayAfter("2024-01-01", row % 150 === 7 ? day + 20 : day - 9)),
      ],
    });
    expect(say(table)).toEqual([]);
  });

  test("heights on a grid, whose columns are numbered", () => {
    const base = list(200, (row) => 100 + ((row * 37) % 80));
    const table = tableOf("grid", {
      v14: ["integer", base],
      v15: ["integer", base.map((height, row) => (row === 9 ? height - 1 : height + (row % 3)))],
    });
    expect(say(table)).toEqual([]);
  });

  test("what ends after the row was written last", () => {
    const written = list(900, (row) => 400 + (row % 300));
    const table = tableOf("accounts", {
      trial_ends_at: [
        "date",
        written.map((day, row) => dayAfter("2024-01-01", row % 150 === 7 ? day + 9 : day - 300 + (row % 90))),
      ],
      updated_at: ["date", written.map((day) => dayAfter("2024-01-01", day))],
    });
    expect(say(table)).toEqual([]);
  });
});

test("what is paid back is in the other order, and no fault", () => {
  const linesOf = (sign: (row: number) => number, wrong: readonly number[]) => {
    const gross = list(900, (row) => sign(row) * (100 + ((row * 37) % 800)));
    const net = gross.map((amount, row) =>
      wrong.includes(row) ? 2000 : row % 4 === 0 ? amount : amount * 0.8,
    );
    return tableOf("lines", {
      net: ["decimal", net.map((amount) => amount.toFixed(2))],
      gross: ["decimal", gross],
    });
  };
  expect(say(linesOf((row) => (row % 90 === 7 ? -1 : 1), []))).toEqual([]);
  expect(say(linesOf(() => 1, [10])).map(({ rows }) => [...rows])).toEqual([[10]]);
});

test("the least temperature of a day above its greatest is wrong in winter, too", () => {
  const least = list(600, (row) => ((row * 13) % 30) - 20);
  const greatest = least.map((degrees, row) => degrees + (row === 40 ? -4 : row % 9));
  expect([least[40], greatest[40]]).toEqual([-10, -14]);
  const table = tableOf("days", { min_temp: ["integer", least], max_temp: ["integer", greatest] });
  expect(say(table).map(({ rows }) => [...rows])).toEqual([[40]]);
});

test("what is published later was changed before", () => {
  const published = list(600, (row) => (row * 7) % 500);
  const days = (more: (row: number) => number) =>
    published.map((day, row) => dayAfter("2024-01-01", day + more(row)));
  const table = (name: string) =>
    tableOf("articles", {
      [name]: ["date", days(() => 0)],
      updated_at: ["date", days((row) => (row === 9 ? -9 : row % 11))],
    });
  expect(say(table("publish_from"))).toEqual([]);
  expect(say(table("written_on")).map(({ rows }) => [...rows])).toEqual([[9]]);
});

test("what rounding leaves is no other order", () => {
  const random = randomOf(3);
  const low = list(600, () => random.whole(1, 900) / 10);
  const results = (at500: number) =>
    tableOf("results", {
      low: ["float", low.map((value, row) => (row === 500 ? at500 : value))],
      high: ["float", low.map((value, row) => (row === 500 ? 0.3 : value + random.whole(0, 40)))],
    });
  expect(say(results(0.1 + 0.2))).toEqual([]);
  expect(say(results(30)).map(({ rows }) => [...rows])).toEqual([[500]]);
});
