import { describe, expect, test } from "vitest";
import { databaseOf, dayAfter, momentAfter, randomOf, saidBy, tableOf } from "../corpus.fixture.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { loadedTable, momentOfDay, rhythms } from "./stops.fixture.ts";
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

  test("orders whose lines come up to some days later have none yet, the last ones and some before them", () => {
    const random = randomOf(3);
    // The last 60 orders have none, and of the 60 before them every third one.
    const orders = Array.from({ length: 600 }, (_, row) => row + 1);
    const withLines = orders.filter((order) => order <= 480 || (order <= 540 && order % 3 !== 0));
    const lines = withLines.flatMap((order) => Array.from({ length: random.whole(1, 4) }, () => order));
    const said = say(
      tableOf("orders", { id: ["integer", orders] }),
      tableOf("order_lines", { order_id: ["integer", lines] }),
    );
    expect(said).toEqual([]);
  });

  test("cars that are too new for the workshop; but not what used to come at once", () => {
    const cars = Array.from({ length: 500 }, (_, row) => row + 1);
    const bought = cars.map((_, row) => dayAfter("2023-01-01", row * 2));
    const saidWith = (daysToFirst: number) => {
      const repaired = cars.slice(0, 470);
      const came = repaired.map((_, row) => dayAfter("2023-01-01", row * 2 + daysToFirst));
      const { tables } = databaseOf(
        tableOf("cars", { id: ["integer", cars], created_on: ["date", bought] }),
        tableOf("repairs", { car_id: ["integer", repaired], created_on: ["date", came] }),
      );
      // A day after the last car.
      return saidBy(truncated, { tables, now: Date.UTC(2023, 0, 1000) })
        .filter(({ features }) => features.isChildless === 1)
        .map(({ statement }) => statement);
    };
    expect(saidWith(62)).toEqual([]);
    expect(saidWith(1)).toEqual([
      "The last 30 rows of cars, from id 471 on, have none in repairs; 100.0 % of the others have some.",
    ]);
  });

  test("two of always six rows a day, and no row where there are always two; but one of two is soon away", () => {
    // 2023-05-11 is day 130.
    const usually = (usual: number, then: number) =>
      tableOf("visits", {
        visited_at: [
          "time",
          Array.from({ length: 240 }, (_, day) =>
            Array.from({ length: day === 130 ? then : usual }, (_, nth) =>
              momentAfter("2023-01-01", day * 86_400 + 30_000 + nth * 3_000),
            ),
          ).flat(),
        ],
      });
    const days = (usual: number, then: number) =>
      say(usually(usual, then)).map(({ evidence }) => evidence.since);
    expect([days(6, 2), days(2, 0), days(2, 1)]).toEqual([["2023-05-11"], ["2023-05-11"], []]);
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

/** So many rows at once at two in the morning, on the days that are given. */
function nightly(
  name: string,
  rowsOn: (day: number) => number,
  [from, to]: readonly [number, number],
  start = "2026-01-01",
) {
  const cells: string[] = [];
  for (let day = from; day <= to; day++)
    for (let count = rowsOn(day); count > 0; count--) cells.push(momentAfter(start, day * 86_400 + 7200));
  return tableOf(name, { id: ["integer", cells.map((_, row) => row)], loaded_at: ["time", cells] });
}

describe("what is wrong is found where all loads are alike", () => {
  test("a week without its four rows", () => {
    // Day 0 of 2026-01-01 is a Thursday, as all weeks begin here; day 140 is 2026-05-21.
    const said = say(nightly("newsletters", (day) => (day % 7 === 0 && day !== 140 ? 4 : 0), [0, 280]));
    expect(said.map(({ statement }) => statement)).toEqual([
      "No row of newsletters has a loaded_at in the week of 2026-05-21, where 4 are usual.",
    ]);
  });

  test("the last load cut short, and not where the day is not over", () => {
    // Day 319 is 2026-11-16.
    const stock = nightly("stock", (day) => (day === 319 ? 10 : 40), [100, 319]);
    const said = saidBy(truncated, { tables: [stock], now: Date.parse("2026-11-16T08:00:00Z") });
    expect(said.map(({ statement }) => statement)).toEqual([
      "Only 10 rows of stock have a loaded_at on 2026-11-16, where 40 are usual.",
    ]);
    const random = randomOf(1);
    const cells = Array.from({ length: 260 }, (_, day) =>
      Array.from({ length: day === 259 ? 10 : 36 + random.whole(0, 8) }, () =>
        momentAfter("2026-03-03", day * 86_400 + random.whole(0, day === 259 ? 20_000 : 86_399)),
      ),
    ).flat();
    // Day 259 is 2026-11-17, of which six hours are over.
    const visits = tableOf("visits", {
      id: ["integer", cells.map((_, row) => row)],
      loaded_at: ["time", cells],
    });
    expect(saidBy(truncated, { tables: [visits], now: Date.parse("2026-11-17T06:00:00Z") })).toEqual([]);
  });

  test.each(seeds)("orders in a row without lines (seed %i)", (seed) => {
    const random = randomOf(seed);
    const orders = Array.from({ length: 900 }, (_, row) => row + 1);
    const lines = orders
      .filter((id) => id < 301 || id > 312)
      .flatMap((id) => Array.from({ length: random.whole(1, 4) }, () => id));
    expect(
      say(
        tableOf("orders", { id: ["integer", orders] }),
        tableOf("order_lines", { order_id: ["integer", lines] }),
      ).map(({ statement }) => statement),
    ).toEqual([
      "12 rows of orders in a row, from id 301 to 312, have none in order_lines; 100.0 % of the others have some.",
    ]);
  });
});

describe("a day on which nobody works", () => {
  /** Workdays without the days off that are given, from 2024-01-02 to the end of November. */
  const workdays = (name: string, daysOff: readonly string[]) =>
    nightly(
      name,
      (day) => {
        const date = dayAfter("2024-01-02", day);
        const isWeekend = new Date(`${date}T00:00:00Z`).getUTCDay() % 6 === 0;
        return isWeekend || daysOff.includes(date) ? 0 : 30;
      },
      [0, 333],
      "2024-01-02",
    );
  const sensors = nightly("sensors", () => 20, [0, 333], "2024-01-02");
  // Good Friday and Easter Monday of 2024, and the first of May, a Wednesday.
  const daysOff = ["2024-03-29", "2024-04-01", "2024-05-01"];
  const since = (...tables: Parameters<typeof databaseOf>) =>
    say(...tables).map(({ evidence }) => evidence.since);

  test("is no hole in a table that rests then, though others go on", () => {
    expect(since(workdays("orders", daysOff), sensors)).toEqual([]);
    expect(since(workdays("orders", ["2024-05-01"]), sensors)).toEqual([]);
  });

  test("does not hide any other day", () => {
    expect(since(workdays("orders", [...daysOff, "2024-05-15"]), sensors)).toEqual(["2024-05-15"]);
    expect(since(workdays("orders", ["2024-05-14"]), sensors)).toEqual(["2024-05-14"]);
    expect(since(workdays("orders", ["2024-04-30", "2024-05-01"]), sensors)).toEqual(["2024-04-30"]);
  });

  test("hides no other day where both rest on many, however alike these are", () => {
    // Nine workdays that are in no list; 2024-07-10, a Wednesday, is day 190, and 2024-09-18 day 260.
    const rest = Array.from({ length: 12 }, (_, nth) => dayAfter("2024-01-08", nth * 25)).filter(
      (date) => new Date(`${date}T00:00:00Z`).getUTCDay() % 6 !== 0,
    );
    const orders = nightly(
      "orders",
      (day) => {
        const date = dayAfter("2024-01-02", day);
        const isWeekend = new Date(`${date}T00:00:00Z`).getUTCDay() % 6 === 0;
        if (isWeekend || rest.includes(date) || day === 190) return 0;
        return day === 260 ? 12 : 30;
      },
      [0, 333],
      "2024-01-02",
    );
    expect(since(orders, workdays("payments", rest))).toEqual(["2024-07-10", "2024-09-18"]);
    expect(since(workdays("orders", rest), workdays("payments", rest))).toEqual([]);
  });

  test("is a hole in a table that is loaded on other such days", () => {
    // Easter of 2025 is on 20 April. Days 486 and 851 are the first of May of 2025 and 2026.
    const always = (missing: number) =>
      nightly("readings", (day) => (day === missing ? 0 : 40), [0, 900], "2024-01-01");
    expect(since(always(486))).toEqual(["2025-05-01"]);
    expect(since(always(851))).toEqual(["2026-05-01"]);
    // 2025-12-25, as usual in 2024.
    expect(since(always(724))).toEqual(["2025-12-25"]);
  });

  test("is no hole in a table that is loaded only on some of the others", () => {
    const shop = (day: number) => {
      const date = dayAfter("2024-05-03", day);
      return /-12-2[56]|-01-01/.test(date) || date === "2025-05-01" ? 0 : 40;
    };
    expect(since(nightly("sales", shop, [0, 520], "2024-05-03"), sensors)).toEqual([]);
  });

  test("is a hole for an hour where the others of that day are as usual", () => {
    const hourly = (isMissing: (hour: number) => boolean) => {
      const cells = Array.from({ length: 45 * 24 }, (_, hour) => hour)
        .filter((hour) => !isMissing(hour))
        .flatMap((hour) => Array.from({ length: 20 }, () => momentAfter("2024-04-10", hour * 3600 + 60)));
      return tableOf("probes", { id: ["integer", cells.map((_, row) => row)], loaded_at: ["time", cells] });
    };
    // Day 21 is the first of May.
    expect(since(hourly((hour) => hour === 21 * 24 + 9))).toEqual(["2024-05-01 09:00"]);
    expect(since(hourly((hour) => Math.floor(hour / 24) === 21))).toEqual([]);
  });
});

/** A table that is loaded by the month, with this share of the rows of March 2024. */
function byMonth(name: string, seed: number, share: number) {
  const monthOf = (at: number) => new Date(momentOfDay(at / 86_400)).toISOString().slice(0, 7);
  let kept = 0;
  return loadedTable(
    "ledger",
    (random, days) =>
      (rhythms[name]?.(random, days) ?? []).filter((at) => {
        if (monthOf(at) !== "2024-03") return true;
        kept += share;
        return kept % 1 < share;
      }),
    seed,
    { days: 800 },
  );
}
const monthly = ["on the 1st", "on the last workday of a month", "over the first days of a month"];

describe.each(monthly)("a table that is loaded %s", (name) => {
  const sayOf = (seed: number, share: number) =>
    saidBy(truncated, { tables: [byMonth(name, seed, share)], now: momentOfDay(805) });

  test.each(seeds)("has a month without rows, or with a tenth (seed %i)", (seed) => {
    const [none, few] = [sayOf(seed, 0), sayOf(seed, 0.1)];
    expect([none, few].map((said) => said.map(({ evidence }) => evidence.since))).toEqual([
      ["2024-03-01"],
      ["2024-03-01"],
    ]);
    expect(none[0]?.statement).toMatch(
      /^No row of ledger has a loaded_at in 2024-03, where \d+ are usual\.$/,
    );
    const months = none[0]?.evidence.timeline;
    expect(months?.unit).toBe("Month");
    expect(months?.periods.slice(0, 2).map(({ start }) => start)).toEqual(["2023-02-01", "2023-03-01"]);
    expect(months?.periods.filter(({ isInDoubt }) => isInDoubt).map(({ rows }) => rows)).toEqual([0]);
  });

  test.each(seeds)("and nothing is said where each month is as the others (seed %i)", (seed) => {
    expect(sayOf(seed, 1)).toEqual([]);
  });
});

describe("what is well is left alone", () => {
  test("the first days of a table, in which its numbers rise", () => {
    expect(say(daily("orders", 4, (day) => (day === 0 ? 0.02 : day === 1 ? 0.1 : 1)))).toEqual([]);
  });

  test("a rest of two weeks each August, and days on which nobody works", () => {
    const rows = (day: number) => {
      const date = dayAfter("2023-01-02", day);
      const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
      const isRest = date.slice(5) >= "08-05" && date.slice(5) <= "08-18";
      // Good Friday and Easter Monday of 2024, and the first of May.
      const isHoliday = ["2024-03-29", "2024-04-01", "2023-05-01", "2024-05-01"].includes(date);
      return weekday % 6 === 0 || isRest || isHoliday ? 0 : 12;
    };
    expect(say(nightly("visits", rows, [0, 900], "2023-01-02"))).toEqual([]);
  });

  test.each([1, 2, 15, 24, 59])("a few rows a day that often come the day after (seed %i)", (seed) => {
    const random = randomOf(seed);
    const sent = Array.from({ length: 400 * 7 }, (_, row) => momentAfter("2025-01-01", secondOf(row)));
    // One in five leaves a day later; of some day, two or three are left.
    function secondOf(row: number) {
      const day = Math.floor(row / 7);
      return (day + Number(random.next() < 0.2)) * 86_400 + random.whole(0, 86_399);
    }
    const said = say(
      tableOf("parcels", { id: ["integer", sent.map((_, row) => row)], sent_at: ["time", sent] }),
    );
    expect(said.map(({ statement }) => statement)).toEqual([]);
  });

  test("a day whose rows came without their time", () => {
    // Ten each day; of day 200, eight have none.
    const cells = Array.from({ length: 4000 }, (_, row) =>
      Math.floor(row / 10) === 200 && row % 10 < 8
        ? null
        : momentAfter("2025-01-01", Math.floor(row / 10) * 86_400 + (row % 10) * 3600),
    );
    const parcels = (moments: (string | null)[]) =>
      tableOf("parcels", { id: ["integer", moments.map((_, row) => row)], sent_at: ["time", moments] });
    expect(say(parcels(cells)).map(({ statement }) => statement)).toEqual([]);
    // Where they are not there at all, they are missing: day 200 of 2025-01-01 is 2025-07-20.
    expect(say(parcels(cells.filter((cell) => cell !== null))).map(({ evidence }) => evidence.since)).toEqual(
      ["2025-07-20"],
    );
  });

  test("a day on which nothing came anywhere", () => {
    const table = (name: string, rows: number) => nightly(name, (day) => (day === 150 ? 0 : rows), [0, 300]);
    expect(say(table("orders", 30), table("payments", 25), table("refunds", 20))).toEqual([]);
  });

  test("a load that came with the next one is not shown", () => {
    const late = (day: number) => (day === 150 ? 0 : day === 151 ? 60 : 30);
    const said = say(
      nightly("orders", late, [0, 300]),
      nightly("payments", () => 25, [0, 300]),
    );
    expect(said.filter((each) => confidenceOf(each) >= shownFrom)).toEqual([]);
  });

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

  test("parents that have no children, as others of their kind", () => {
    // Articles from 301 to 330 are parts, which nobody stores; the other 10 parts have nothing in store either.
    const ids = Array.from({ length: 600 }, (_, row) => row + 1);
    const isPart = (id: number) => id > 300 && id <= 330;
    const kind = ids.map((id) => (isPart(id) ? "part" : "product"));
    const stored = ids.filter((id) => !isPart(id));
    expect(
      say(
        tableOf("articles", { id: ["integer", ids], kind: ["text", kind] }),
        tableOf("stocks", { article_id: ["integer", stored] }),
      ),
    ).toEqual([]);
  });

  test("parents from a time when nobody kept such children", () => {
    const ids = Array.from({ length: 600 }, (_, row) => row + 1);
    const since = ids.filter((id) => id > 100);
    const goals = tableOf("goals", { match_id: ["integer", since] });
    expect(say(tableOf("matches", { id: ["integer", ids] }), goals)).toEqual([]);
  });

  test("the newest parents, which are in a state in which others have no children either", () => {
    const ids = Array.from({ length: 600 }, (_, row) => row + 1);
    const isNew = (id: number) => id > 594 || id === 590;
    // One of the new ones has a child already.
    const state = ids.map((id) => (isNew(id) || id === 580 ? "created" : "sent"));
    const lines = tableOf("lines", { shipment_id: ["integer", ids.filter((id) => !isNew(id))] });
    const shipments = (states: readonly string[]) =>
      tableOf("shipments", { id: ["integer", ids], state: ["text", states] });
    expect(say(shipments(state), lines)).toEqual([]);
    expect(say(shipments(state.map((_, row) => `s${row % 3}`)), lines)).toHaveLength(1);
  });

  test("parents of several kinds, in as many places of the table", () => {
    const ids = Array.from({ length: 1000 }, (_, row) => row + 1);
    const hasNone = (id: number) => [100, 400, 800].some((from) => id > from && id <= from + 25);
    expect(
      say(
        tableOf("parties", { id: ["integer", ids] }),
        tableOf("cards", { party_id: ["integer", ids.filter((id) => !hasNone(id))] }),
      ),
    ).toEqual([]);
  });

  test("models that nobody makes any more, where nothing tells in what order they came", () => {
    const ids = Array.from({ length: 130 }, (_, row) => row + 1);
    const made = ids.filter((id) => (id < 71 || id > 76) && id !== 20);
    const products = made.flatMap((id) => [id, id, id]);
    const articles = tableOf("products", { model_id: ["integer", products] });
    expect(say(tableOf("models", { id: ["integer", ids] }), articles)).toEqual([]);
    // Where they came one after the other, six in a row without any are told.
    const since = ids.map((id) => dayAfter("2024-01-01", id));
    expect(say(tableOf("models", { id: ["integer", ids], made_on: ["date", since] }), articles)).toHaveLength(
      1,
    );
  });

  test("countries in the order of their codes, of which the last ones have no cities", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRST"];
    const codes = letters.flatMap((a) => letters.slice(0, 6).map((b) => `${a}${b}X`));
    const cities = codes.slice(0, -7).flatMap((code) => [code, code, code]);
    expect(
      say(tableOf("country", { code: ["text", codes] }), tableOf("city", { country_code: ["text", cities] })),
    ).toEqual([]);
  });
});
