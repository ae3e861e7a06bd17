import { describe, expect, test } from "vitest";
import {
  type Cell,
  databaseOf,
  dayAfter,
  type Random,
  randomOf,
  saidBy,
  tableOf,
} from "../corpus.fixture.ts";
import { types } from "./type.ts";

const said = (cells: readonly Cell[], name = "thing") =>
  saidBy(types, databaseOf(tableOf("things", { [name]: ["text", cells] })));

const price = (random: Random) => (1 + random.next() * 90).toFixed(2);
const day = (random: Random) => dayAfter("2021-03-01", random.whole(0, 900));

describe.each([1, 2, 3])("with seed %i", (seed) => {
  test.each<[string, (random: Random) => Cell, readonly string[]]>([
    ["words among prices", price, ["twelve", "see invoice"]],
    ["prices written otherwise", price, ["1,204.00", "$12"]],
    ["words among identifiers", (random) => random.whole(1, 5000), ["abc", "12x", "O5"]],
    ["words among days", day, ["yesterday", "Monday"]],
    ["words among moments", (random) => `${day(random)} 10:30:00`, ["soon"]],
    ["words among yes and no", (random) => random.pick(["yes", "no"]), ["maybe"]],
    ["numbers among true and false", (random) => random.pick(["true", "false"]), ["2"]],
  ])("%s are found, with exactly their rows", (_, one, wrong) => {
    const random = randomOf(seed);
    const cells = Array.from({ length: 1000 }, () => one(random));
    const at = wrong.map((_, index) => 17 + index * 311);
    for (const [index, row] of at.entries()) cells[row] = wrong[index] ?? null;
    expect(said(cells).map(({ kind, rows }) => ({ kind, rows: [...rows] }))).toEqual([
      { kind: "Type", rows: at },
    ]);
  });

  test.each<[string, (random: Random, row: number) => Cell]>([
    ["numbers", price],
    [
      "measurements, some of which say what cannot be detected",
      (random, row) => (row % 90 === 7 ? "<0.05" : row === 400 ? "> 90" : price(random)),
    ],
    ["numbers with gaps", (random) => (random.chance(0.05) ? null : random.whole(1, 99))],
    [
      "numbers with placeholders, which another detector reports",
      (random, row) => (row === 4 ? "n/a" : price(random)),
    ],
    [
      "grades with one for the kindergarten",
      (random) => random.pick(["K", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]),
    ],
    ["sizes", (random) => random.pick(["36", "38", "40", "42", "44", "46", "48", "50", "52", "54", "XL"])],
    [
      "house numbers",
      (random) => `${random.whole(1, 200)}${random.chance(0.07) ? random.pick(["a", "b", "c"]) : ""}`,
    ],
    [
      "days written otherwise, which another detector reports",
      (random, row) => (row === 4 ? "31/12/2021" : day(random)),
    ],
    ["codes with leading zeros", (random) => String(random.whole(0, 99999)).padStart(5, "0")],
    ["answers", (random) => random.pick(["yes", "no", "maybe"])],
    ["words", (random) => random.pick(["red", "green", "blue"])],
  ])("nothing is said of %s", (_, one) => {
    const random = randomOf(seed);
    expect(
      said(Array.from({ length: 1000 }, (_, row) => one(random, row))).map(({ statement }) => statement),
    ).toEqual([]);
  });
});

test("says which value is not one, and the pattern that the others match", () => {
  const cells: Cell[] = Array.from({ length: 99 }, (_, row) => String(row * 3));
  const [found] = said([...cells, "many"], "pieces");
  expect(found?.statement).toBe(
    "1 of 100 rows of things has a pieces that is not a number: “many”; all others are.",
  );
  expect(found?.rule).toEqual({ type: "Pattern", configuration: { column: "pieces", pattern: "^[0-9]+$" } });
});

test("house numbers with letters are weak where they are rare", () => {
  const random = randomOf(9);
  const cells = Array.from(
    { length: 1000 },
    (_, row) => `${random.whole(1, 200)}${row % 100 === 7 ? "a" : ""}`,
  );
  expect(said(cells)[0]?.features.hasDigits).toBe(1);
});

test("an answer that several questions have is one, beside yes and no", () => {
  const random = randomOf(4);
  const answers = (rare: number) =>
    Array.from({ length: 1000 }, (_, row) => (row % rare === 5 ? "No answer" : random.pick(["Yes", "No"])));
  const survey = (columns: Record<string, Cell[]>) =>
    saidBy(
      types,
      databaseOf(
        tableOf(
          "answers",
          Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, ["text", cells]])),
        ),
      ),
    ).map(({ columns: [name] }) => name);
  expect(survey({ q1: answers(120), q2: answers(90), q3: answers(70) })).toEqual([]);
  expect(survey({ q1: answers(120) })).toEqual(["q1"]);
});

test("a third answer that one in a hundred gives is one, and a misspelled one is not", () => {
  const random = randomOf(6);
  const driveways = (third: string, pair: [string, string]) =>
    said(Array.from({ length: 1000 }, (_, row) => (row % 60 === 7 ? third : random.pick(pair)))).map(
      ({ rows }) => rows.length,
    );
  expect(driveways("P", ["Y", "N"])).toEqual([]);
  expect(driveways("nx", ["yes", "no"])).toEqual([17]);
});

test("days of which only the month or the year is known are dates, and telephones abroad are numbers", () => {
  const random = randomOf(3);
  const days = Array.from({ length: 400 }, () => dayAfter("2019-01-01", random.whole(0, 1800)));
  expect(said(days.with(5, "2013-10").with(9, "2013"))).toEqual([]);
  expect(said(days.with(5, "2013-30")).map(({ rows }) => [...rows])).toEqual([[5]]);
  const phones = Array.from({ length: 400 }, () => String(random.whole(600_000_000, 799_999_999)));
  expect(said(phones.with(5, "+33 613986276"))).toEqual([]);
  expect(said(phones.with(5, "none of ours")).map(({ rows }) => [...rows])).toEqual([[5]]);
});
