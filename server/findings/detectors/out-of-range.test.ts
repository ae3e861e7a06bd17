import { describe, expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { type Random, randomFrom } from "../random.fixture.ts";
import { aColumn, aTable, saidOf } from "../table.fixture.ts";
import { outOfRange } from "./out-of-range.ts";

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const money = (value: number) => value.toFixed(2);

const ordinary: Record<string, (random: Random, index: number) => string | number> = {
  "amount decimal": (random) => money(random.lognormal(3, 1)),
  "heavy decimal": (random) => money(10 * random.pareto(1.1)),
  "booking decimal": (random) => money((random.chance(0.1) ? -1 : 1) * random.lognormal(5, 1.4)),
  "reading float": (random) => money(10 + 8 * random.normal()),
  "quantity integer": (random) => 1 + random.below(10),
  "day date": (random) => new Date(Date.UTC(2024, 0, 1 + random.below(360))).toISOString().slice(0, 10),
  "score integer": (random) => random.below(101),
  "size float": (random) => random.lognormal(0, 2.5).toPrecision(5),
};

describe("what lies beyond the rest", () => {
  test.each(["qty", "unidades", "menge"])("is found where there are one to three pieces each: %s", (name) => {
    const pieces = many(900, (row) => (row === 44 ? -2 : 1 + (row % 3)));
    const found = saidOf(outOfRange, aColumn(`${name} integer`, pieces));
    expect(found.map(({ rows, features }) => [[...rows], features.isImpossible])).toEqual([[[44], 1]]);
    // Where all have one piece, as well.
    const single = saidOf(
      outOfRange,
      aColumn(
        `${name} integer`,
        pieces.map((count) => Math.sign(count)),
      ),
    );
    expect(single.map(({ rows }) => [...rows])).toEqual([[44]]);
    // Steps of a lift may go down.
    expect(saidOf(outOfRange, aColumn("step integer", pieces))).toEqual([]);
  });

  test("is less sure where another column that nearly always has the same number has it as well", () => {
    const listed = many(600, (row) => 100 + ((row * 37) % 80));
    const paidIn = (paid: readonly number[]) =>
      saidOf(
        outOfRange,
        aTable(
          ["listed integer", "paid integer"],
          paid.map((amount, row) => [row === 9 ? 9000 : (listed[row] ?? 0), amount]),
        ),
      ).map(({ columns, features }) => [columns.join(), features.confirmed]);
    // Row 9 has 9,000 in both, or in one.
    expect(paidIn(listed.with(9, 9000))).toEqual([
      ["listed", 1],
      ["paid", 1],
    ]);
    expect(paidIn(listed)).toEqual([["listed", 0]]);
  });

  test("is nothing where land lies below the sea, unless it lies lower than any does", () => {
    const heights = many(500, (row) => 2 + ((row * 37) % 1400));
    const lowIn = (name: string, lowest: number) =>
      saidOf(outOfRange, aColumn(`${name} integer`, heights.with(9, lowest))).map(({ rows }) => [...rows]);
    expect(lowIn("altitude", -54)).toEqual([]);
    expect(lowIn("price", -54)).toEqual([[9]]);
    expect(lowIn("altitude", -9999)).toEqual([[9]]);
  });

  test("is nothing where the keys of another table leave the same gap", () => {
    // Staff of two series: 1001 to 1060, and 2161 to 2164.
    const numbers = [...many(60, (nth) => 1001 + nth), ...many(4, (nth) => 2161 + nth)];
    const staff = (those: readonly number[]) =>
      aTable(
        ["staff_no integer", "name"],
        those.map((no) => [no, `n${no}`]),
        "staff",
      );
    const signed = many(2000, (row) => (row % 100 === 7 ? 2161 + (row % 3) : 1001 + (row % 60)));
    const reports = (values: readonly number[]) =>
      aTable(
        ["id integer", "signed_by integer"],
        values.map((value, row) => [row + 1, value]),
        "reports",
      );
    const found = (...tables: ReturnType<typeof aTable>[]) =>
      saidOf(outOfRange, ...tables).flatMap(({ rows, columns }) =>
        columns.includes("signed_by") ? rows.length : [],
      );
    expect(found(reports(signed))).toEqual([20]);
    expect(found(reports(signed), staff(numbers))).toEqual([]);
    // With a number that nobody has, they are told.
    expect(found(reports(signed.with(3, 9999)), staff(numbers))).toEqual([21]);
    // Keys that have all numbers in between say nothing.
    expect(found(reports(signed), staff(many(1200, (nth) => 1001 + nth)))).toEqual([20]);
  });

  test("is found where there is a handful of values, each of many rows", () => {
    const days = many(1000, (row) => (row === 600 ? 700 : 3 + (row % 5)));
    const shownOf = (values: number[]) =>
      saidOf(outOfRange, aColumn("rental_duration integer", values))
        .filter((found) => confidenceOf(found) >= shownFrom)
        .map(({ rows }) => [...rows]);
    expect(shownOf(days)).toEqual([[600]]);
    const keys = aColumn("year_id integer", days);
    expect(saidOf(outOfRange, keys)).toEqual([]);
    // Twelve is no slip, and neither is what comes again and again.
    expect(shownOf(days.with(600, 12))).toEqual([]);
    expect(shownOf(many(1000, (row) => (row % 100 === 9 ? 700 : 3 + (row % 5))))).toEqual([]);
  });

  test("is found below zero where the name says that it cannot be", () => {
    const rates = many(1000, (row) => (row === 44 ? "-0.99" : (["0.99", "2.99", "4.99"][row % 3] ?? "")));
    const [found] = saidOf(outOfRange, aColumn("rental_rate decimal", rates));
    expect([...(found?.rows ?? [])]).toEqual([44]);
    expect(found && confidenceOf(found)).toBeGreaterThan(0.9);
  });

  test.each(seeds)("is found in a skewed column, and so is the sign (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const prices = many(2000, () => money(random.lognormal(3, 1)));
    prices[700] = "245000.00";
    prices[1200] = "-19.90";
    const found = saidOf(outOfRange, aColumn("price decimal", prices));
    expect(found.map(({ rows }) => [...rows])).toEqual([[700], [1200]]);
    expect(found.map(({ features }) => features.changesSign)).toEqual([0, 1]);
  });

  test.each(seeds)("is found among dates, whatever year they are of (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const days = many(500, () =>
      new Date(Date.UTC(2023, 0, 1 + random.below(700))).toISOString().slice(0, 10),
    );
    days[40] = "2099-12-31";
    days[41] = "1023-05-01";
    expect(saidOf(outOfRange, aColumn("day date", days)).map(({ rows }) => [...rows])).toEqual([[40], [41]]);
  });

  test("is found in texts that are numbers, beyond a bound that also holds for rows that were not read", () => {
    const table = aColumn("score text", [...many(50, (index) => String(40 + (index % 30))), "4400", "word"]);
    const [found] = saidOf(outOfRange, table);
    expect(found?.condition).toEqual({ is: "above", column: "score", bound: "70" });
  });

  test("cannot be, although another column tells which rows: a whole load has the wrong century", () => {
    const rows = many(900, (row) => [
      `${row < 892 ? 2024 : 1023}-0${1 + (row % 9)}-1${row % 10}`,
      row < 892 ? `load ${row % 8}` : "load 9",
    ]);
    const [found] = saidOf(outOfRange, aTable(["counted_on date", "load text"], rows));
    expect([...(found?.rows ?? [])]).toEqual(many(8, (index) => 892 + index));
    expect(found?.features).toMatchObject({ isImpossible: 1, explained: 0 });
  });

  test("is found by what a name says, close to the rest", () => {
    const random = randomFrom(1);
    const ages = many(400, () => 18 + random.below(80));
    ages[3] = 131;
    expect(
      saidOf(outOfRange, aColumn("age integer", ages)).map(({ rows, features }) => [
        ...rows,
        features.isImpossible,
      ]),
    ).toEqual([[3, 1]]);
  });

  test("is no number that only tells rows apart, unless it has a digit too many", () => {
    const numbers = (last: number) => [...many(400, (row) => 302_000 + row), last];
    expect(saidOf(outOfRange, aColumn("id integer", numbers(350_209)))).toEqual([]);
    expect(saidOf(outOfRange, aColumn("id integer", numbers(3_024_010)))).toHaveLength(1);
    // Of what is counted, more is more.
    expect(saidOf(outOfRange, aColumn("visitors integer", numbers(350_209)))).toHaveLength(1);
  });

  test("is what no number is", () => {
    const table = aColumn("load float", [...many(60, (index) => index % 7), "NaN", "Infinity"]);
    const [found] = saidOf(outOfRange, table);
    expect([...(found?.rows ?? [])]).toEqual([60, 61]);
  });

  test("has a sentence in the table's words, and the rule that fails today", () => {
    const table = aTable(
      ["price decimal"],
      [...many(40, (index) => [money(1 + (index % 20))]), ["20000.00"]],
      "items",
    );
    expect(saidOf(outOfRange, table)).toMatchObject([
      {
        statement: "The price of 1 row of items is 20,000.00; all others are between 1.00 and 20.00.",
        rule: { type: "Range", configuration: { column: "price", max: "20" } },
        condition: { is: "above", column: "price", bound: "20" },
      },
    ]);
  });

  test("is said to be a state of the business where another column tells which rows", () => {
    const random = randomFrom(2);
    const rows = many(1000, (index) =>
      index % 120 === 5
        ? ["refund", money(-random.lognormal(3, 1))]
        : ["sale", money(random.lognormal(3, 1))],
    );
    const found = saidOf(outOfRange, aTable(["kind text", "amount decimal"], rows));
    for (const { features } of found) expect(features.explained).toBeGreaterThan(0.9);
  });
});

test.each(seeds)("bookings that were reversed agree with the columns beside them (seed %d)", (seed) => {
  const random = randomFrom(seed);
  const rows = many(1500, (index) => {
    const amount = random.lognormal(5, 1) * (index % 70 === 3 ? -1 : 1);
    const tax = amount * 0.19;
    return [
      amount.toFixed(2),
      tax.toFixed(2),
      (Number(amount.toFixed(2)) + Number(tax.toFixed(2))).toFixed(2),
    ];
  });
  const slip = rows[1000] ?? [];
  slip[0] = `-${slip[0]}`;
  const table = aTable(["net decimal", "tax decimal", "gross decimal"], rows);
  const confirmed = saidOf(outOfRange, table).map(({ columns, features }) => [
    columns[0],
    features.confirmed,
  ]);
  expect(confirmed).toContainEqual(["gross", 1]);
  // Of 22 reversals and one slip.
  expect(confirmed.find(([column]) => column === "net")?.[1]).toBeCloseTo(22 / 23, 5);
});

test("lines of credit notes have a negative amount beside their negative quantity", () => {
  // The price of a piece depends on the customer, so that no equation holds.
  const rows = many(1500, (index) => {
    const sign = index % 70 === 3 ? -1 : 1;
    return [sign * (1 + (index % 9)), (sign * (500 + ((index * 7919) % 9000))) / 100];
  });
  const table = aTable(["quantity integer", "amount decimal"], rows);
  const features = saidOf(outOfRange, table).map(({ columns, features: { confirmed } }) => [
    ...columns,
    confirmed,
  ]);
  expect(features).toContainEqual(["quantity", 1]);
  const one = rows.map(([quantity = 0, amount = 0], index) => [
    index === 500 ? -quantity : Math.abs(quantity),
    Math.abs(amount),
  ]);
  expect(
    saidOf(outOfRange, aTable(["quantity integer", "amount decimal"], one)).map(
      ({ rows: doubted, features: { confirmed } }) => [[...doubted], confirmed],
    ),
  ).toEqual([[[500], 0]]);
});

test.each(seeds)("costs that most rows do not have are judged among themselves (seed %d)", (seed) => {
  const random = randomFrom(seed);
  const costs = many(5000, () => (random.chance(0.9) ? "0" : money(1000 * random.pareto(1.1))));
  for (const { features } of saidOf(outOfRange, aColumn("cost decimal", costs)))
    expect(features.beyondTail).toBeLessThan(0.4);
});

test.each(seeds)("a date five weeks behind a bunch of others is not shown (seed %d)", (seed) => {
  const random = randomFrom(seed);
  const days = many(63, (row) => (row % 20 === 19 ? 60 : random.below(25)));
  const dates = days.map((day) => new Date(Date.UTC(2021, 3, 2 + day)).toISOString().slice(0, 10));
  const found = saidOf(outOfRange, aColumn("ended_on date", dates));
  expect(found.filter((each) => confidenceOf(each) >= shownFrom).map(({ statement }) => statement)).toEqual(
    [],
  );
});

test("every candidate's condition selects its rows", () => {
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const rows = many(800, (index) => Object.values(ordinary).map((make) => make(random, index)));
    const table = aTable(Object.keys(ordinary), rows);
    for (const { condition, rows: said } of saidOf(outOfRange, table))
      expect([...rowsAgainst(condition ?? { is: "any", of: [] }, table)]).toEqual([...said]);
  }
});

test("columns that are as they should be have next to nothing to be told of", () => {
  let told = 0;
  for (const seed of many(40, (index) => 100 + index)) {
    const random = randomFrom(seed);
    const size = random.pick([60, 300, 2000, 8000]);
    const rows = many(size, (index) => Object.values(ordinary).map((make) => make(random, index)));
    const found = saidOf(outOfRange, aTable(Object.keys(ordinary), rows));
    told += found.length;
  }
  // 320 columns.
  expect(told).toBeLessThanOrEqual(6);
});

describe("keys", () => {
  const columns = (name: string) => [`${name} integer`, "note text"];

  test("of a second series count on, far above the first", () => {
    const ids = [...many(300, (index) => index + 1), ...many(12, (index) => 10_001 + index)];
    const row = (id: number) => [id, `n${id}`];
    expect(saidOf(outOfRange, aTable(columns("id"), ids.map(row)))).toEqual([]);
    const slipped = [...ids.slice(0, 300), 99_999];
    expect(saidOf(outOfRange, aTable(columns("id"), slipped.map(row))).map(({ rows }) => [...rows])).toEqual([
      [300],
    ]);
  });

  test("that the table pointed to has are in range, however far", () => {
    const moves = aTable(columns("id"), [...many(300, (index) => [index + 1, "a"]), [10_001, "b"]], "moves");
    const flags = aTable(
      ["move_id integer"],
      [...many(900, (index) => [1 + (index % 300)]), [10_001]],
      "flags",
    );
    const far = (...tables: Parameters<typeof aTable>[2][] | ReturnType<typeof aTable>[]) =>
      saidOf(outOfRange, ...(tables as ReturnType<typeof aTable>[])).filter(({ table }) => table === flags);
    expect(far(moves, flags)).toEqual([]);
    expect(far(flags).map(({ rows }) => [...rows])).toEqual([[900]]);
  });

  test("of another system are much longer, and a price is not", () => {
    const random = randomFrom(4);
    const usual = many(900, () => 10_000_000 + random.below(800_000_000));
    const values = [...usual, 442_571_000_124_108, 10_939_881_000_119_104];
    expect(saidOf(outOfRange, aColumn("code integer", values))).toEqual([]);
    expect(saidOf(outOfRange, aColumn("diagnosis integer", values))).toEqual([]);
    const prices = [...many(900, () => 1000 + random.below(9000)), 5_000_000_000];
    expect(saidOf(outOfRange, aColumn("price integer", prices)).map(({ rows }) => [...rows])).toEqual([
      [900],
    ]);
  });
});

describe("nothing is said", () => {
  const doubted = (described: string, values: readonly (string | number)[]) =>
    saidOf(outOfRange, aColumn(described, values)).map(({ rows }) => [...rows]);

  test("of codes that others are far from, unless a digit slipped", () => {
    const codes = many(600, (index) => 99_201 + (index % 60));
    expect(doubted("visit_cd integer", codes.with(9, 99_367))).toEqual([]);
    expect(doubted("coupon_upc integer", codes.with(9, 99_001))).toEqual([]);
    expect(doubted("visit_cd integer", codes.with(9, 9_936_700))).toEqual([[9]]);
    expect(doubted("visit_cd integer", codes.with(9, -99_205))).toEqual([[9]]);
  });

  test("of islands far from the coast, and of those beyond the date line", () => {
    const random = randomFrom(6);
    const [south, east] = [
      many(900, () => (-44 + 3 * random.normal()).toFixed(4)),
      many(900, () => (174 + random.normal()).toFixed(4)),
    ];
    expect(doubted("latitude decimal", south.with(9, "-77.8490"))).toEqual([]);
    expect(doubted("longitude decimal", east.with(9, "-177.9072"))).toEqual([]);
    // The other side of the equator, right where the others are on this one; and what no place on Earth has.
    expect(doubted("latitude decimal", south.with(9, "44.1234"))).toEqual([[9]]);
    expect(doubted("latitude decimal", south.with(9, "-441.234"))).toEqual([[9]]);
  });

  test("of what rounding leaves where nothing is left", () => {
    const random = randomFrom(7);
    const values = many(5000, (index) =>
      index % 300 === 7 ? 0 : index % 900 === 8 ? 4.44e-16 : Math.ceil(random.lognormal(1, 1) * 100) / 100,
    );
    expect(doubted("sales_value float", values)).toEqual([]);
  });

  test("of the end of one more term", () => {
    const ends = many(900, (index) => `${2011 + 2 * (index % 9)}-01-03`);
    expect(doubted("end date", ends.with(9, "2029-01-03"))).toEqual([]);
    expect(doubted("end date", ends.with(9, "2061-01-03"))).toEqual([[9]]);
  });
});

test("amounts are grouped by thousands in the sentence, and numbers of things are not", () => {
  const sentenceOf = (name: string) =>
    saidOf(
      outOfRange,
      aColumn(`${name} integer`, many(600, (index) => 10_000 + (index % 300)).with(9, 4_000_000)),
    )[0]?.statement;
  expect(sentenceOf("amount")).toMatch(/is 4,000,000; all others are between 10,000 and 10,299\.$/);
  expect(sentenceOf("visit_cd")).toMatch(/is 4000000; all others are between 10000 and 10299\.$/);
});
