import { describe, expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { randomFrom } from "../random.fixture.ts";
import { aColumn, aTable, saidOf } from "../table.fixture.ts";
import { missingValues } from "./missing-value.ts";

const seeds = [1, 2, 3, 4, 5];
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const shown = (...said: ReturnType<typeof saidOf>) => said.filter((each) => confidenceOf(each) >= shownFrom);

describe("rows without what all others have", () => {
  test.each(seeds)("are found, and only they (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const planted = random.some(2, 9000);
    const cities = many(9000, (row) => (planted.includes(row) ? null : `City ${random.below(300)}`));
    const table = aColumn("city text", cities);
    const [found, ...others] = shown(...saidOf(missingValues, table));
    expect(others).toEqual([]);
    expect([...(found?.rows ?? [])]).toEqual(planted);
    expect(found).toMatchObject({
      condition: { is: "null", column: "city" },
      statement: "2 of 9,000 rows of things have no city; all others do.",
      rule: { type: "NullRate", configuration: { column: "city", maxNullPercent: 0 } },
    });
  });

  test("may have a blank text instead", () => {
    const cities = many(2000, (row) => (row === 700 ? "" : row === 900 ? "   " : `City ${row % 90}`));
    const table = aColumn("city text", cities);
    const [found] = shown(...saidOf(missingValues, table));
    expect([...(found?.rows ?? [])]).toEqual([700, 900]);
    expect([...rowsAgainst(found?.condition ?? { is: "any", of: [] }, table)]).toEqual([700, 900]);
  });
});

describe("the time at which a row came", () => {
  test("is there of each, and not of what may not have happened yet", () => {
    const rows = many(2000, (row) => {
      const at = new Date(Date.UTC(2024, 0, 1, row)).toISOString();
      return [row, row === 900 || row === 1400 ? null : at];
    });
    const [created] = shown(...saidOf(missingValues, aTable(["id integer", "created_at time"], rows)));
    expect([...(created?.rows ?? [])]).toEqual([900, 1400]);
    expect(created?.features.comesWithRows).toBe(1);
  });
});

test("whoever is at the top of a table that refers to itself has nobody above", () => {
  // Each manages three, the first has no manager, and the last has one who is not there.
  const staff = many(40, (row) => [100 + row, row === 0 ? null : row === 39 ? 7 : 100 + Math.floor(row / 3)]);
  const [found] = saidOf(missingValues, aTable(["id integer", "manager_id integer"], staff));
  expect([found?.columns, found?.features.isOfTree]).toEqual([["manager_id"], 0]);
  // Of 13 different managers, one unknown is more than one in twenty; of 67, it is less.
  const larger = many(200, (row) => [
    100 + row,
    row === 0 ? null : row === 199 ? 7 : 100 + Math.floor(row / 3),
  ]);
  const [other] = saidOf(missingValues, aTable(["id integer", "manager_id integer"], larger));
  expect(other?.features.isOfTree).toBe(1);
  // Quantities are among the numbers of orders by chance, and are not named like a reference.
  const orders = many(200, (row) => [1 + row, row === 5 ? null : 1 + (row % 9)]);
  const [plain] = saidOf(missingValues, aTable(["id integer", "quantity integer"], orders));
  expect([plain?.columns, plain?.features.isOfTree]).toEqual([["quantity"], 0]);
});

test("whoever is at the top has nobody above, whatever the column is called", () => {
  const staff = many(160, (row) => [1001 + row, row === 0 ? null : 1001 + Math.floor(row / 5)]);
  const [found] = saidOf(missingValues, aTable(["personalnr integer", "vorgesetzter integer"], staff));
  expect([found?.columns, found?.features.isOfTree]).toEqual([["vorgesetzter"], 1]);
});

test("the machine of a downtime is one of the machines, though its number is also that of a downtime", () => {
  const machines = aTable(
    ["id integer"],
    many(20, (row) => [row + 1]),
    "machines",
  );
  const stops = many(400, (row) => [row + 1, row === 8 ? null : 1 + (row % 20)]);
  const downtimes = aTable(["id integer", "machine_id integer"], stops, "downtimes");
  const [found] = saidOf(missingValues, machines, downtimes);
  expect([found?.columns, found?.features.isOfTree]).toEqual([["machine_id"], 0]);
});

test("tickets of the last days that are still open are no fault, in whatever order they stand", () => {
  const random = randomFrom(4);
  const day = (of: number) => new Date(Date.UTC(2024, 0, 1 + of)).toISOString().slice(0, 10);
  // Every day one ticket, each closed a day later, but for five of the last ten.
  const tickets = (isOpen: (number: number) => boolean) =>
    many(1500, (number) => [number, day(number), isOpen(number) ? null : day(number + 1)] as const)
      .map((row) => ({ row, order: random.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ row }) => row);
  const columns = ["number integer", "reported date", "fixed date"];
  const open = tickets((number) => number >= 1490 && number % 2 === 0);
  expect(shown(...saidOf(missingValues, aTable(columns, open)))).toEqual([]);
  // Five of all times are a fault.
  const forgotten = tickets((number) => number % 300 === 7);
  expect(shown(...saidOf(missingValues, aTable(columns, forgotten)))).toHaveLength(1);
});

test("who works on a ticket is not known of some of the newest ones", () => {
  // 1,500 tickets; those in doubt have nobody.
  const tickets = (isInDoubt: (number: number) => boolean) =>
    many(1500, (number) => [
      number,
      new Date(Date.UTC(2024, 0, 1, number)).toISOString(),
      isInDoubt(number) ? null : `agent${number % 17}`,
    ]);
  const columns = ["number integer", "opened_at time", "agent_id text"];
  const isAtEnd = (...args: Parameters<typeof tickets>) =>
    saidOf(missingValues, aTable(columns, tickets(...args))).map(({ features }) => features.isAtEnd);
  expect(isAtEnd((number) => number === 1490 || number === 1494 || number === 1498)).toEqual([1]);
  // Three of all times are not in progress.
  expect(isAtEnd((number) => number % 500 === 7)).toEqual([0]);
});

describe("nothing is shown", () => {
  test.each(seeds)("of sparse columns, and of columns that are filled (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const rows = many(3000, (row) => [
      row,
      random.chance(0.08) ? null : `Line ${row}`,
      random.chance(0.5) ? null : "second",
      random.chance(0.97) ? null : `Ext ${row}`,
    ]);
    const columns = ["id integer", "remark text", "line2 text", "extension text"];
    expect(shown(...saidOf(missingValues, aTable(columns, rows)))).toEqual([]);
  });

  test.each(seeds)("of a state of the business that another column tells (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const rows = many(4000, () => {
      const isOpen = random.chance(0.01);
      return [isOpen ? "Open" : "Paid", isOpen ? null : 100 + random.below(900)];
    });
    expect(shown(...saidOf(missingValues, aTable(["status text", "receipt integer"], rows)))).toEqual([]);
  });

  test("of the last orders, which are not delivered yet", () => {
    const rows = many(5000, (row) => [row, row > 4960 ? null : `2024-03-${10 + (row % 20)}`]);
    expect(shown(...saidOf(missingValues, aTable(["id integer", "delivered_on date"], rows)))).toEqual([]);
  });

  test("of tables that are too small to promise anything", () => {
    expect(saidOf(missingValues, aColumn("city text", [...many(12, () => "Rome"), null]))).toEqual([]);
  });
});

test("rows that lack several columns at once are told once", () => {
  const rows = many(400, (row) =>
    row === 90 || row === 310
      ? [row, "x", null, null, null, null, null]
      : [
          row,
          "x",
          `b${row % 9}`,
          `d${row % 7}`,
          `p${row % 5}`,
          row === 200 ? null : `q${row % 8}`,
          `r${row % 6}`,
        ],
  );
  const columns = [
    "id integer",
    "sort text",
    "born text",
    "died text",
    "place text",
    "quarter text",
    "region text",
  ];
  const table = aTable(columns, rows);
  const found = saidOf(missingValues, table);
  expect(found.map(({ columns: doubted, statement }) => [doubted, statement])).toEqual([
    [
      ["born", "died", "place", "region"],
      "2 of 400 rows of things have no born, no died, no place, and no region; all others do.",
    ],
    [["quarter"], "3 of 400 rows of things have no quarter; all others do."],
  ]);
  const [first] = found;
  expect([...rowsAgainst(first?.condition ?? { is: "any", of: [] }, table)]).toEqual([90, 310]);
  // A contract takes the condition as SQL.
  expect(first?.rule).toBeNull();
  // Of a table that was read in part, nobody knows whether others lack all of them.
  expect(saidOf(missingValues, { ...table, isWhole: false })).toHaveLength(5);
});

test("what is reckoned from the rows before is not there at the beginning", () => {
  const growth = many(200, (row) => (row < 2 ? null : row % 13));
  const [found] = saidOf(missingValues, aColumn("growth integer", growth));
  expect(found?.features.isAtStart).toBe(1);
  expect(shown(...saidOf(missingValues, aColumn("growth integer", growth)))).toEqual([]);
  const [other] = saidOf(missingValues, aColumn("growth integer", growth.with(0, 5)));
  expect(other?.features.isAtStart).toBe(0);
});
