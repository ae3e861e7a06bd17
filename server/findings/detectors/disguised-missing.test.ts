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
import { confidenceOf, shownFrom } from "../judge.ts";
import { disguisedMissing } from "./disguised-missing.ts";

type Kind = "text" | "integer" | "decimal" | "date" | "time";
const said = (kind: Kind, cells: readonly Cell[], name = "thing") =>
  saidBy(disguisedMissing, databaseOf(tableOf("things", { [name]: [kind, cells] })));

/** Cells of which some are replaced, and which. */
function planted(random: Random, one: (row: number) => Cell, wrong: Cell, times: number, rows = 2000) {
  const cells = Array.from({ length: rows }, (_, row) => one(row));
  const at = new Set<number>();
  while (at.size < times) at.add(random.whole(0, rows - 1));
  for (const row of at) cells[row] = wrong;
  return { cells, at: [...at].toSorted((a, b) => a - b) };
}

const names = ["Anna", "Bo", "Chidi", "Dora", "Emil", "Fatima", "Gus", "Hana", "Ines", "Jo", "Kim", "Lars"];
const person = (random: Random) => `${random.pick(names)} ${random.pick(names)}son`;
const born = (random: Random) => dayAfter("1940-01-01", random.whole(0, 60 * 365));
const day = (random: Random) => dayAfter("2021-03-01", random.whole(0, 1200));
const phone = (random: Random) => `0${random.whole(100, 999)}-${random.whole(100000, 999999)}`;

const letters = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"])).join("");

test("among a thousand codes of as many letters a word is one of them, though most others have digits", () => {
  const random = randomOf(7);
  // One in three is of letters; the others have a digit.
  const codes = (ofLetters: number) =>
    Array.from({ length: ofLetters * 3 }, (_, row) =>
      row % 3 === 0 ? letters(random, 4) : `${letters(random, 2)}${random.whole(10, 99)}`,
    );
  expect(said("text", [...codes(1200), "SAME", "MMMM"])).toEqual([]);
  expect(said("text", [...codes(200), "SAME", "MMMM"]).flatMap(({ rows }) => [...rows])).toEqual([600, 601]);
});

const cases: readonly [string, Kind, (random: Random) => Cell, Cell, number][] = [
  ["n/a among names", "text", person, "n/a", 3],
  ["Unknown among names", "text", person, "Unknown", 12],
  ["not specified among names", "text", person, "Not  specified", 1],
  ["NULL as text", "text", person, "NULL", 2],
  ["a dash among names", "text", person, "-", 2],
  ["question marks among phone numbers", "text", phone, "???", 2],
  ["xxx among phone numbers", "text", phone, "xxx", 1],
  ["000-000000 among phone numbers", "text", phone, "000-000000", 2],
  ["test among codes", "text", (random) => `C${random.whole(1000, 9999)}`, "test", 1],
  ["tbd among categories", "text", (random) => random.pick(["red", "green", "blue"]), "tbd", 2],
  ["99999 among postal codes", "text", (random) => `0${random.whole(1001, 1100)}`, "99999", 3],
  ["unknown among numbers in texts", "text", (random) => random.whole(1, 500), "unknown", 2],
  ["999 among ages", "integer", (random) => random.whole(18, 90), 999, 2],
  ["-1 among ages", "integer", (random) => random.whole(0, 90), -1, 3],
  ["9999 among quantities", "integer", (random) => random.poisson(12), 9999, 1],
  ["-999 among temperatures", "decimal", (random) => (15 + random.normal() * 8).toFixed(1), "-999", 2],
  ["-999 among amounts with a tail", "decimal", (r) => Math.exp(5 + r.normal() * 1.5).toFixed(2), "-999", 2],
  ["-9999.0 among temperatures", "decimal", (random) => (15 + random.normal() * 8).toFixed(1), "-9999.0", 2],
  ["0 among years", "integer", (random) => random.whole(1960, 2024), 0, 2],
  ["1900-01-01 among birthdays", "date", born, "1900-01-01", 4],
  ["1970-01-01 among birthdays", "date", born, "1970-01-01", 25],
  ["1970-01-01 among days of this decade", "date", day, "1970-01-01", 1],
  ["9999-12-31 among days", "date", day, "9999-12-31", 2],
  ["the epoch among times", "time", (random) => `${day(random)} 08:15:00`, "1970-01-01 00:00:00", 1],
];

describe.each([1, 2, 3])("with seed %i", (seed) => {
  test.each(cases)("%s, with exactly its rows", (_, kind, one, wrong, times) => {
    const random = randomOf(seed);
    const { cells, at } = planted(random, () => one(random), wrong, times);
    const found = said(kind, cells);
    expect(found.map(({ rows }) => [...rows])).toEqual([at]);
    expect(found[0]?.kind).toBe("DisguisedMissing");
  });
});

test("says which value stands for nothing", () => {
  const random = randomOf(4);
  const { cells } = planted(random, () => person(random), "n/a", 2);
  expect(said("text", cells, "customer")[0]?.statement).toBe(
    "2 of 2,000 rows of things have “n/a” as customer, which looks like a placeholder for a missing value.",
  );
});

test("a word that looks like the other values is weaker", () => {
  const random = randomOf(5);
  const product = () => random.pick(["Hat", "Shoe", "Coat", "Scarf", "Glove", "Sock", "Tie"]);
  const fits = (wrong: string) => said("text", planted(random, product, wrong, 1).cells)[0]?.features;
  expect(fits("None")).toMatchObject({ strength: 0.4, fits: 1 });
  expect(fits("n/a")).toMatchObject({ strength: 1, fits: 0 });
});

const clean: readonly [string, Kind, (random: Random, row: number) => Cell][] = [
  ["Unknown as one of few categories", "text", (r) => r.pick(["Card", "Cash", "Transfer", "Unknown"])],
  [
    "None as a frequent severity",
    "text",
    (r) => (r.chance(0.08) ? "None" : r.pick(["Low", "High", "Medium"])),
  ],
  [
    "pending as a rare state",
    "text",
    (r) => (r.chance(0.025) ? "pending" : r.pick(["granted", "refused", "withdrawn"])),
  ],
  [
    "pending as the rarest of few states that come again",
    "text",
    (r, row) => (row % 500 === 8 ? "pending" : r.pick(["completed", "completed", "rejected", "canceled"])),
  ],
  ["a placeholder that is the rule", "text", (r) => (r.chance(0.3) ? "n/a" : person(r))],
  [
    "country codes with Namibia",
    "text",
    (r) => r.pick(["DE", "FR", "NA", "US", "SE", "PL", "DK", "NO", "FI"]),
  ],
  ["rare country codes with Namibia", "text", (r) => (r.chance(0.002) ? "NA" : r.pick(["DE", "FR", "US"]))],
  [
    "codes of airfields with MMMM",
    "text",
    (r, row) => (row === 9 ? "MMMM" : row % 9 === 0 ? `AF-${1000 + row}` : letters(r, 4)),
  ],
  [
    "codes of provinces with NAN, of which half are numbers",
    "text",
    (r, row) => (row === 9 ? "NAN" : row % 3 === 0 ? letters(r, 3) : String(row)),
  ],
  [
    "codes of states with ND, beside names of provinces",
    "text",
    (r, row) => (row % 200 === 9 ? "ND" : row % 3 === 0 ? letters(r, 2) : `Province ${row % 700}`),
  ],
  [
    "chemical elements with Na and Nd, beside longer names",
    "text",
    (r, row) =>
      row % 60 === 9
        ? "Na"
        : row % 3 === 0
          ? `${letters(r, 1)}${letters(r, 1).toLowerCase()}`
          : `Ion ${row % 900}`,
  ],
  [
    "surnames with Blank and Test",
    "text",
    (r, row) =>
      row === 9 ? "Blank" : row === 900 ? "Test" : `${letters(r, 1)}${letters(r, 5).toLowerCase()}`,
  ],
  ["names with Nan", "text", (r, row) => (row === 9 ? "Nan" : person(r))],
  [
    "PINs from all there are",
    "text",
    (r, row) => (row === 5 ? "9999" : String(r.whole(0, 9999)).padStart(4, "0")),
  ],
  [
    "prices that end in nines",
    "decimal",
    (r) => r.pick(["9.99", "19.99", "49.99", "99", "199", "999.99", "24.5"]),
  ],
  [
    "heavy tails up to 9999",
    "integer",
    (r, row) => (row === 3 ? 9999 : Math.floor(Math.exp(r.normal() * 2.2 + 3))),
  ],
  ["a balance below zero", "integer", (r) => r.whole(-50, 900)],
  [
    "margins, of which many are whole",
    "decimal",
    (r) => (r.chance(0.6) ? r.whole(-12, 30).toFixed(2) : (r.normal() * 12 + 5).toFixed(2)),
  ],
  ["goals against goals", "integer", (r) => r.pick([-1, 0, 1])],
  ["counts with many zeros", "integer", (r) => r.poisson(2)],
  ["numbers through 99 and 999", "integer", (r) => r.whole(1, 2000)],
  ["open ends", "date", (r) => (r.chance(0.4) ? "9999-12-31" : day(r))],
  ["birthdays through 1970-01-01", "date", (r) => born(r)],
  ["every day since 1900", "date", (_, row) => dayAfter("1900-01-01", row)],
  [
    "every month since 2000",
    "date",
    (_, row) => `${2000 + Math.floor(row / 12)}-${String((row % 12) + 1).padStart(2, "0")}-01`,
  ],
  ["identifiers", "integer", (_, row) => row],
  ["prose", "text", (r) => `Nothing is known of ${person(r)}, none at all - test`],
];

describe.each([1, 2, 3])("nothing is said (seed %i) of", (seed) => {
  test.each(clean)("%s", (_, kind, one) => {
    const random = randomOf(seed);
    const cells = Array.from({ length: 2000 }, (_, row) => one(random, row));
    expect(said(kind, cells).map(({ statement }) => statement)).toEqual([]);
  });
});

test("a word in small letters among thousands of surnames is no surname", () => {
  const random = randomOf(8);
  const names = Array.from({ length: 2000 }, (_, row) =>
    row === 9 ? "blank" : `${letters(random, 1)}${letters(random, 5).toLowerCase()}`,
  );
  expect(said("text", names).map(({ rows }) => [...rows])).toEqual([[9]]);
});

describe("a row for what is unknown", () => {
  const kinds = ["oak", "elm", "ash", "fir", "yew", "lime", "pine", "beech", "birch", "cedar", "unkn"];
  const trees = Array.from({ length: 1100 }, (_, row) => (row % 500 === 3 ? "unkn" : kinds[row % 10]) ?? "");

  test("is meant by those that point to it", () => {
    const plots = tableOf("trees", { kind: ["text", trees] });
    const kind = tableOf("kind", {
      code: ["text", kinds],
      name: ["text", kinds.map((code) => `${code} tree`)],
    });
    const all = (...tables: Parameters<typeof databaseOf>) =>
      saidBy(disguisedMissing, databaseOf(...tables)).map(({ rows }) => [...rows]);
    expect(all(plots, kind)).toEqual([]);
    expect(all(plots)).toEqual([[3, 503, 1003]]);
  });

  test.each([0, -1, 10_001])("is told by its key, such as %i", (key) => {
    const id = Array.from({ length: 40 }, (_, row) => (row === 39 ? key : row + 1));
    const name = id.map((each) => (each === key ? "unknown" : `Kind of ${names[each % 12]}${each}`));
    const all = (keys: readonly number[]) =>
      saidBy(disguisedMissing, databaseOf(tableOf("kinds", { id: ["integer", keys], name: ["text", name] })));
    expect(all(id).filter(({ columns }) => columns.includes("name"))).toEqual([]);
    expect(all(id.with(39, 40)).map(({ rows }) => [...rows])).toEqual([[39]]);
  });
});

test("a title in two cases, and a firm's short name, are names", () => {
  const titles = Array.from(
    { length: 400 },
    (_, row) => `The ${names[row % 12]} of ${names[(row * 5) % 12]} ${row}`,
  );
  expect(said("text", [...titles, "HHhH", "bar"])).toEqual([]);
  expect(said("text", [...titles, "xxxx"]).map(({ rows }) => [...rows])).toEqual([[400]]);
});

test("what a kind of rows has instead of a value is meant, and no two placeholders explain each other", () => {
  const rows = Array.from({ length: 1000 }, (_, row) => row % 90 === 4);
  const kind = rows.map((is) => (is ? "mystery" : "known"));
  const name = rows.map((is, row) => (is ? "???" : `${names[row % 12]} ${names[(row * 5) % 12]}son`));
  const score = rows.map((is, row) => (is ? -1 : 1 + (row % 10)));
  const shownWith = (columns: Parameters<typeof tableOf>[1]) =>
    saidBy(disguisedMissing, databaseOf(tableOf("things", columns)))
      .filter((found) => confidenceOf(found) >= shownFrom)
      .flatMap(({ columns: doubted }) => doubted);
  expect(shownWith({ name: ["text", name], kind: ["text", kind] })).toEqual([]);
  expect(shownWith({ name: ["text", name], score: ["integer", score] })).toEqual(["name", "score"]);
});

describe("what is meant", () => {
  const all = (...tables: Parameters<typeof databaseOf>) =>
    saidBy(disguisedMissing, databaseOf(...tables)).map(({ table, columns, rows }) => [
      table.tableName,
      columns,
      [...rows],
    ]);

  test("white among colors", () => {
    const random = randomOf(4);
    const colors = Array.from({ length: 300 }, () =>
      random.whole(0, 0xfffffe).toString(16).toUpperCase().padStart(6, "0"),
    );
    expect(said("text", colors.with(7, "FFFFFF"))).toEqual([]);
  });

  test("a key, which names its row also where that stands for none", () => {
    const ids = Array.from({ length: 200 }, (_, row) => (row === 199 ? 9999 : row));
    const name = ids.map((id) => `${names[id % 12]} ${id}`);
    expect(all(tableOf("colors", { id: ["integer", ids], name: ["text", name] }))).toEqual([]);
    expect(all(tableOf("colors", { name: ["text", name], height: ["integer", ids] }))).toHaveLength(1);
  });

  test("an end that is open, as it is in most rows of another table", () => {
    const random = randomOf(5);
    const ends = (isOpen: (row: number) => boolean) =>
      Array.from({ length: 400 }, (_, row) => (isOpen(row) ? "9999-01-01" : day(random)));
    const few = tableOf("radomes", { ended_on: ["date", ends((row) => row === 9)] });
    const most = tableOf("sensors", { ended_on: ["date", ends((row) => row % 3 > 0)] });
    expect(all(few)).toEqual([["radomes", ["ended_on"], [9]]]);
    expect(all(few, most)).toEqual([]);
  });
});

test("one of two states is called by what it is not", () => {
  const states = (one: string) =>
    Array.from({ length: 3000 }, (_, row) =>
      row % 90 === 4 ? "Unavailable" : [one, one, "Charging", "Finishing", "Preparing"][row % 5],
    );
  expect(
    said(
      "text",
      states("Available").filter((state) => state !== undefined),
    ),
  ).toEqual([]);
  expect(
    said(
      "text",
      states("Idle").filter((state) => state !== undefined),
    ),
  ).toHaveLength(1);
});

test("a list of none is a list, and no name", () => {
  const casts = Array.from(
    { length: 60 },
    (_, row) => `["${names[row % 12]}", "${names[(row * 5 + 1) % 12]} ${row}"]`,
  );
  expect(said("text", casts.with(7, "[]"))).toEqual([]);
  const people = Array.from(
    { length: 60 },
    (_, row) => `${names[row % 12]} ${names[(row * 5 + 1) % 12]}son ${row}`,
  );
  expect(said("text", people.with(7, "[]")).map(({ rows }) => [...rows])).toEqual([[7]]);
});

test("1 January stands for a year where only years are known, and for none where it is the only one", () => {
  const random = randomOf(6);
  const published = (isNewYear: (row: number) => boolean, year: (row: number) => number) =>
    Array.from({ length: 2000 }, (_, row) => (isNewYear(row) ? `${year(row)}-01-01` : day(random)));
  expect(
    said(
      "date",
      published(
        (row) => row % 10 === 3,
        (row) => 1998 + (row % 9),
      ),
    ),
  ).toEqual([]);
  const [found] = said(
    "date",
    published(
      (row) => row % 100 === 3,
      () => 2000,
    ),
  );
  expect(found?.rows.length).toBe(20);
});
