import { describe, expect, test } from "vitest";
import { groupBy } from "../../profile/grouping.ts";
import { expectedAlike, surplus } from "../chance.ts";
import { rowsAgainst } from "../condition.ts";
import { confidenceOf, shownFrom } from "../judge.ts";
import { randomFrom } from "../random.fixture.ts";
import { aColumn, aTable, saidOf } from "../table.fixture.ts";
import { duplicates } from "./duplicate.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("what occurs twice where each occurs once", () => {
  test("is a number that counts orders", () => {
    const table = aColumn("order_no integer", [...many(500, (index) => 1000 + index), 1007, 1300]);
    const [found, ...others] = saidOf(duplicates, table);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      statement: "2 values of order_no occur more than once in things; the other 498 values once each.",
      columns: ["order_no"],
      rule: { type: "Uniqueness", configuration: { column: "order_no" } },
      condition: { is: "repeated", columns: ["order_no"] },
      evidence: {
        doubted: [
          { value: "1007", rows: 2 },
          { value: "1300", rows: 2 },
        ],
      },
    });
    expect([...(found?.rows ?? [])]).toEqual([7, 300, 500, 501]);
    expect(found?.features.isKeptApart).toBe(1);
  });

  test("is no word that stands for nothing, however often it comes", () => {
    const codes = many(400, (index) => `DE${100_200_300 + index * 37}`);
    const foundIn = (...more: string[]) =>
      saidOf(duplicates, aColumn("vat_no text", [...codes, ...more])).map(({ rows }) => [...rows]);
    expect(foundIn("n/a", "n/a", "n/a")).toEqual([]);
    expect(foundIn("DE100200300", "n/a", "n/a")).toEqual([[0, 400, 401, 402]]);
  });

  test("is a code that counts on, or of one form, or a name of which many are alike", () => {
    const featuresOf = (described: string, values: string[]) => {
      const [found] = saidOf(duplicates, aColumn(described, [...values, values[7] ?? ""]));
      const { isFormed, isCounted, isKeyText, isUuid } = found?.features ?? {};
      return { isFormed, isCounted, isKeyText, isUuid };
    };
    const counted = many(400, (index) => `INV-${String(index + 12).padStart(5, "0")}`);
    expect(featuresOf("invoice text", counted)).toEqual({
      isFormed: 1,
      isCounted: 1,
      isKeyText: 0,
      isUuid: 0,
    });
    const random = randomFrom(5);
    const drawn = many(400, () => `K${100_000_000 + random.below(800_000_000)}`);
    expect(featuresOf("policy_no text", drawn)).toEqual({
      isFormed: 1,
      isCounted: 0,
      isKeyText: 1,
      isUuid: 0,
    });
    const names = many(400, (index) => `${["Ada", "Bo", "Cleo"][index % 3]} of Street ${index * 37}`);
    expect(featuresOf("tenant text", names)).toEqual({ isFormed: 0, isCounted: 0, isKeyText: 0, isUuid: 0 });
  });

  test("is an address that belongs to one person, and no page that many link to", () => {
    const isOfOne = (described: string, values: string[]) =>
      saidOf(duplicates, aColumn(described, [...values, values[7] ?? ""]))[0]?.features.isOfOne;
    expect(
      isOfOne(
        "contact text",
        many(400, (index) => `person${index * 37}@mail.example.com`),
      ),
    ).toBe(1);
    expect(
      isOfOne(
        "link text",
        many(400, (index) => `https://example.com/page/${index * 37}`),
      ),
    ).toBe(0);
  });

  test("is a combination, where each column alone repeats", () => {
    const rows = many(600, (index) => [
      Math.floor(index / 3),
      (index % 3) + 1,
      "x".repeat(1 + ((index * 7) % 11)),
    ]);
    const doubled = [...rows, [50, 2, "another"]];
    const found = saidOf(duplicates, aTable(["order_ref integer", "line integer", "text text"], doubled));
    expect(found.map(({ columns, rows }) => [columns, [...rows]])).toEqual([
      [
        ["order_ref", "line"],
        [151, 600],
      ],
    ]);
  });

  test("is less sure beside a key that counts the attempts", () => {
    // Every third update fails and is tried again, and one of these fails again.
    const rows = many(600, (update) => {
      const row = (attempt: number, outcome: string) => [
        `D${update % 120}`,
        `v${Math.floor(update / 120)}`,
        attempt,
        outcome,
      ];
      if (update % 3 !== 0) return [row(1, "done")];
      return [row(1, "failed"), row(2, update === 300 ? "failed" : "done")];
    }).flat();
    const columns = ["device text", "version text", "attempt integer", "outcome text"];
    const besideKey = (of: readonly (readonly (string | number)[])[]) =>
      saidOf(duplicates, aTable(columns, of))
        .filter(({ columns: named }) => named.join() === "device,version,outcome")
        .map(({ rows: said, features }) => [[...said], features.isBesideKey]);
    expect(besideKey(rows)).toEqual([[[400, 401], 1]]);
    // A row that is there twice breaks the key as well.
    expect(besideKey([...rows, rows[10] ?? []]).map(([, isBeside]) => isBeside)).not.toContain(1);
  });

  test("is a whole row that was loaded twice, with the NULLs in it", () => {
    const random = randomFrom(3);
    const rows = many(400, (index) => [
      index,
      `word${random.below(60)}`,
      random.below(1000),
      index % 9 === 0 ? null : random.below(500),
    ]);
    const again = [9, 100, 333].map((row, index) => [400 + index, ...(rows[row] ?? []).slice(1)]);
    const table = aTable(["id integer", "a text", "b integer", "c integer"], [...rows, ...again]);
    const found = saidOf(duplicates, table).filter(({ features }) => features.isWholeRow === 1);
    expect(found.map(({ columns, rows: said }) => [columns, [...said]])).toEqual([
      [
        ["a", "b", "c"],
        [9, 100, 333, 400, 401, 402],
      ],
    ]);
    for (const { condition, rows: said } of found)
      expect([...rowsAgainst(condition ?? { is: "any", of: [] }, table)]).toEqual([...said]);
  });
});

describe("rows that are alike in several columns", () => {
  const columns = [
    "worked_on date",
    "crew integer",
    "yard text",
    "task integer",
    "task_name text",
    "began text",
    "ended text",
  ];
  /** Each crew has its yard, and each task its name and its usual duration: four columns say what the others say. */
  function jobs(seed: number, days: number) {
    const random = randomFrom(seed);
    return many(1200, () => {
      const [crew, task, hour] = [random.below(8), random.below(12), 7 + random.below(9)];
      const hours = random.chance(0.9) ? 1 + (task % 3) : 4;
      return [
        new Date(Date.UTC(2022, 0, 1 + random.below(days))).toISOString().slice(0, 10),
        crew,
        `Yard ${crew % 5}`,
        task,
        `Task no. ${task}`,
        `${hour}:00`,
        `${hour + hours}:00`,
      ];
    });
  }
  const wholeRows = (rows: (string | number)[][]) =>
    saidOf(duplicates, aTable(columns, rows)).filter(({ features }) => features.isWholeRow === 1);

  test.each([1, 2, 3, 4, 5])("are by chance where columns say the same (seed %d)", (seed) => {
    // 1200 * 1199 / 2 pairs of rows, of which one in 300 * 8 * 12 * 9 is alike, nearly: 3 are expected.
    const found = wholeRows(jobs(seed, 300));
    for (const each of found) {
      expect(each.features.isByChance).toBeGreaterThan(0.6);
      expect(confidenceOf(each)).toBeLessThan(shownFrom);
    }
  });

  test.each([1, 2, 3, 4, 5])("are found where a batch was loaded twice (seed %d)", (seed) => {
    const rows = jobs(seed, 300);
    const [found, ...others] = wholeRows([...rows, ...rows.slice(400, 425)]);
    expect(others).toEqual([]);
    expect(found?.rows.length).toBeGreaterThanOrEqual(50);
    expect(found?.features.isByChance).toBe(0);
    expect(found && confidenceOf(found)).toBeGreaterThan(shownFrom);
  });

  test("are as many as are expected by chance, on average", () => {
    const seeds = many(20, (index) => index + 1);
    const tables = seeds.map((seed) => aTable(columns, jobs(seed, 300)));
    const seen = tables.map((table) => surplus(groupBy(table.columns)));
    const expected = tables.map((table) => expectedAlike(table.columns, table.rowCount));
    const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
    expect(sum(expected) / sum(seen)).toBeGreaterThan(0.5);
    expect(sum(expected) / sum(seen)).toBeLessThan(1.5);
  });
});

describe("nothing is said, or next to nothing,", () => {
  test.each([1, 2, 3, 4, 5])(
    "of numbers that meet by chance, of names, and of columns that go their own ways (seed %d)",
    (seed) => {
      const random = randomFrom(seed);
      const rows = many(2000, (index) => [
        index,
        random.below(100_000),
        `Name${random.below(40)} Surname${random.below(3000)}`,
        random.below(200),
        random.below(80),
        random.next() * 100,
      ]);
      const found = saidOf(
        duplicates,
        aTable(["id integer", "grams integer", "person text", "a integer", "b integer", "f float"], rows),
      );
      // What is said is marked as weak: chance would give as many, and names of people are no codes.
      const marks = found.map(({ features: { isByChance, isCode, isKey }, columns }) => [
        ...columns,
        isByChance,
        isCode,
        isKey,
      ]);
      expect([
        ["grams", 1, 1, 0],
        ["person", 0, 0, 0],
      ]).toEqual(expect.arrayContaining(marks));
    },
  );
});

/** A table whose declared key is made of these columns. */
const keyed = (columns: string[], keys: string[], rows: (string | number | null)[][]) => {
  const table = aTable(columns, rows);
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, isPrimaryKey: keys.includes(column.name) })),
  };
};

describe("a key of two columns", () => {
  const columns = ["order_id integer", "line integer", "article text", "price decimal", "note text"];
  const lines = many(600, (index) => [
    Math.floor(index / 2),
    (index % 2) + 1,
    `A${index % 40}`,
    9.5 + (index % 7),
    `n${index === 280 ? 0 : index}`,
  ]);

  test("counts in its parts where rows are compared whole: two orders may be of the same things", () => {
    // The first line and the one at 280 differ in their order alone.
    expect(lines[280]?.slice(1)).toEqual(lines[0]?.slice(1));
    const found = saidOf(duplicates, keyed(columns, ["order_id", "line"], lines));
    expect(found.filter(({ features }) => features.isWholeRow).length).toBe(0);
  });

  test("has parts that come again, as parts do", () => {
    const rows = [...many(300, (index) => [index, 1, `A${index}`]), [7, 2, "A7"]];
    const found = saidOf(
      duplicates,
      keyed(["person_id integer", "place integer", "address text"], ["person_id", "place"], rows),
    );
    expect(found.filter(({ columns: [name, ...more] }) => name === "person_id" && more.length === 0)).toEqual(
      [],
    );
  });
});

test("who answers nothing is soon like somebody else, and no row that was loaded twice", () => {
  const questions = many(12, (index) => `q${index} text`);
  const random = randomFrom(3);
  const answers = many(500, (index) => [index, ...many(12, () => String(random.below(5)))]);
  const silent = many(20, (index) => [500 + index, random.below(2) ? "1" : null, ...many(11, () => null)]);
  const ofWholeRows = (rows: (string | number | null)[][]) =>
    saidOf(duplicates, aTable(["id integer", ...questions], rows))
      .filter(({ features }) => features.isWholeRow)
      .map(({ rows: found }) => [...found]);
  expect(ofWholeRows([...answers, ...silent])).toEqual([]);
  expect(ofWholeRows([...answers, [500, ...(answers[9]?.slice(1) ?? [])]])).toEqual([[9, 500]]);
});

describe("nothing is said", () => {
  const saidOfRows = (columns: readonly string[], rows: readonly (string | number)[][]) =>
    saidOf(duplicates, aTable(columns, rows)).map(({ columns: doubted }) => doubted);

  test("of a table that is nothing but two keys", () => {
    const links = [...many(60, (index) => [index + 1, index + 101]), [7, 190], [9, 107]];
    expect(saidOfRows(["episode_id integer", "warrior_id integer"], links)).toEqual([]);
    expect(saidOfRows(["episode_id integer", "title text"], links).length).toBeGreaterThan(0);
  });

  test("of a figure with a place in line, or of words with a version", () => {
    const random = randomFrom(6);
    const lines = many(1500, (index) => [50_000 + Math.floor(index / 5) * 311, 1 + (index % 5)]);
    lines.push(...many(3, () => [...(lines[random.below(1500)] ?? [])]));
    expect(saidOfRows(["odometer integer", "line_no integer"], lines)).toEqual([]);
    expect(saidOfRows(["visit integer", "line_no integer"], lines)).toEqual([["visit", "line_no"]]);
  });
});

test("a long reference that somebody gave out twice is shown, whatever its form", () => {
  const random = randomFrom(8);
  const digits = () => String(10_000_000 + random.below(80_000_000));
  const refs = many(480, (index) => (index % 3 === 0 ? `${digits()}/2024` : `82.${digits()}.${index % 10}`));
  const [found] = saidOf(duplicates, aColumn("authority_ref text", [...refs, refs[40] ?? ""]));
  expect(found && confidenceOf(found)).toBeGreaterThan(shownFrom);
});

test.each(["round_id", "id_round", "idRound"])(
  "what refers to another table may well come twice: %s",
  (name) => {
    const rounds = aTable(
      ["id integer", "day text"],
      many(900, (row) => [row * 3, `d${row}`]),
      "rounds",
    );
    const weighings = aTable(
      ["ticket text", `${name} integer`],
      many(900, (row) => [`T${row}`, (row % 90 === 7 ? row - 1 : row) * 3]),
      "weighings",
    );
    const found = saidOf(duplicates, rounds, weighings).find(({ columns }) => columns.includes(name));
    expect(found?.features.isReference).toBe(1);
  },
);
