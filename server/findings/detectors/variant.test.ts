import { describe, expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { editDistance, folded, NearTexts } from "../near-texts.ts";
import { randomFrom } from "../random.fixture.ts";
import { aColumn, aTable, saidOf } from "../table.fixture.ts";
import { variants } from "./variant.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const seeds = [1, 2, 3, 4, 5];

describe("how near texts are", () => {
  test.each([
    ["birmingham", "birmxngham", 1],
    ["montgomery", "montgomrey", 1],
    ["dothan", "dothann", 1],
    ["gadsden", "gadsde", 1],
    ["kitten", "sitting", 3],
    ["abc", "abc", 0],
  ])("%s and %s", (one, other, distance) => {
    expect(editDistance(one, other, 3)).toBe(distance);
    expect(editDistance(other, one, 3)).toBe(distance);
  });

  test("no slip in a text of eight letters or more is overlooked", () => {
    const words = ["alexandria", "birmingham", "constantinople", "fredericksburg", "northampton"];
    const near = new NearTexts(words);
    for (const [index, word] of words.entries())
      for (let at = 0; at < word.length; at++)
        for (const slip of [
          `${word.slice(0, at)}#${word.slice(at + 1)}`,
          word.slice(0, at) + word.slice(at + 1),
          `${word.slice(0, at)}#${word.slice(at)}`,
        ])
          expect([slip, near.near(slip)]).toEqual([slip, [{ index, distance: 1 }]]);
  });

  test("case, accents and punctuation are no letters", () => {
    expect(["São Paulo", "sao-paulo ", "SAO  PAULO"].map(folded)).toEqual([
      "saopaulo",
      "saopaulo",
      "saopaulo",
    ]);
  });
});

describe("rare spellings of frequent values are found", () => {
  test("in case, space and accents", () => {
    const table = aColumn("currency text", [
      ...many(300, (index) => ["USD", "EUR", "CHF"][index % 3] ?? ""),
      "usd",
      " EUR",
      "U.S.D.",
    ]);
    const found = saidOf(variants, table);
    expect(found.map(({ rows, statement }) => [[...rows], statement])).toEqual([
      [
        [300, 301, 302],
        "3 values of things.currency are written otherwise than usual: “usd” for “USD”, “U.S.D.” for “USD”, “ EUR” for “EUR”.",
      ],
    ]);
    expect([...rowsAgainst(found[0]?.condition ?? { is: "any", of: [] }, table)]).toEqual([300, 301, 302]);
  });

  test.each(seeds)("by a slip of the pen, wherever it is (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const cities = ["birmingham", "montgomery", "huntsville", "tuscaloosa", "hoover", "auburn", "decatur"];
    const rows = many(900, () => random.pick(cities));
    const planted = random.some(9, 900);
    for (const row of planted) {
      const city = rows[row] ?? "";
      const at = random.below(city.length);
      rows[row] = `${city.slice(0, at)}x${city.slice(at + 1)}`;
    }
    expect(saidOf(variants, aColumn("city text", rows)).flatMap((found) => [...found.rows])).toEqual(planted);
  });

  test("by signs that look alike: zero for the letter, a Cyrillic letter for a Latin one", () => {
    const groups = many(400, (index) => ["O+", "A-", "B+", "AB+"][index % 4] ?? "");
    groups[9] = "0+";
    expect(saidOf(variants, aColumn("blood_group text", groups)).map((found) => [...found.rows])).toEqual([
      [9],
    ]);
    const states = many(400, (index) => ["PAID", "OPEN", "VOID"][index % 3] ?? "");
    // The first letter is Cyrillic.
    states[7] = "РAID";
    expect(saidOf(variants, aColumn("state text", states)).map((found) => [...found.rows])).toEqual([[7]]);
  });

  test("a blank before a value that is else unique", () => {
    const names = many(200, (index) => `Person ${String.fromCharCode(65 + (index % 26))}${index}`);
    names[20] = ` ${names[20]}`;
    expect(saidOf(variants, aColumn("name text", names)).map((found) => [...found.rows])).toEqual([[20]]);
  });
});

test("a blank around a value is told apart from another way of writing it", () => {
  const isSpace = (rare: string) =>
    saidOf(
      variants,
      aColumn("region text", [...many(60, (row) => ["North", "South"][row % 2] ?? ""), rare]),
    )[0]?.features.isSpace;
  expect([isSpace("South "), isSpace(" South"), isSpace("SOUTH")]).toEqual([1, 1, 0]);
});

test("a value all in small letters is odd where hardly any other is", () => {
  const isOdd = (values: string[]) =>
    saidOf(variants, aColumn("country text", values)).map(({ rows, features }) => [
      [...rows],
      features.isOddCase,
    ]);
  const countries = many(90, (index) => ["Germany", "France", "USA", `Land ${index}`][index % 4] ?? "");
  expect(isOdd([...countries, "germany"])).toEqual([[[90], 1]]);
  const tags = many(90, (index) => ["Germany", "sun", "sea", `tag${index}`][index % 4] ?? "");
  expect(isOdd([...tags, "germany"])).toEqual([[[90], 0]]);
});

test("a rare value that stands for nothing makes no other one natural", () => {
  const regions = (rare: string) =>
    saidOf(
      variants,
      aColumn("region text", [
        ...many(60, (row) => ["North", "South", "East"][row % 3] ?? ""),
        rare,
        "SOUTH",
      ]),
    )[0]?.features.othersRare;
  expect(regions("Unknown")).toBe(0);
  expect(regions("Islands")).toBe(0.5);
});

describe("another thing with a similar name is none", () => {
  test("where the rest of its row says so", () => {
    const rows = [
      ...many(400, (index) => ["Australia", "AUD", index]),
      ...many(400, (index) => ["Germany", "EUR", index]),
      ...many(3, (index) => ["Austria", "EUR", index]),
      ["Australa", "AUD", 7],
    ];
    const found = saidOf(variants, aTable(["country text", "currency text", "n integer"], rows));
    expect(found.map(({ rows: said }) => [...said])).toEqual([[803]]);
    expect(found[0]?.features.agrees).toBe(1);
  });

  test("two places of one name, whose rows have nothing in common", () => {
    const rows = [
      ...many(400, (index) => [index % 2 === 0 ? "Le Flore" : "Adair", index % 2 === 0 ? "OK" : "KY", index]),
      ["Leflore", "MS", 1],
      ["leflore", "MS", 2],
    ];
    const [found] = saidOf(variants, aTable(["county text", "state text", "n integer"], rows));
    expect(found?.features.contradicts).toBe(1);
  });

  test("numbers, short words and codes that differ", () => {
    const values = ["Nurse I", "Type A", "Sensor 12", "Route 7B", "SCIP-1", "A10"];
    const rare = ["Nurse II", "Type B", "Sensor 13", "Route 8B", "SCIP-2", "A1O"];
    expect(
      saidOf(variants, aColumn("kind text", [...many(500, (index) => values[index % 6] ?? ""), ...rare])),
    ).toEqual([]);
  });

  test("grades, of which a sign makes another one", () => {
    const grades = ["master", "bachelor", "A", "C"];
    const rare = ["master+", "A-", "C#"];
    const values = [...many(900, (index) => grades[index % 4] ?? ""), ...rare];
    expect(saidOf(variants, aColumn("degree text", values))).toEqual([]);
  });

  test("a number with another sign", () => {
    const values = many(900, (index) => ["-1", "NA"][index % 2] ?? "");
    expect(saidOf(variants, aColumn("answer text", [...values, ...many(20, () => "1")]))).toEqual([]);
  });

  test("another number, and another code as long", () => {
    const models = ["TRIMBLE NETRS", "TRIMBLE 4000SSI", "5 mg tablet", "1-2"];
    const rare = ["TRIMBLE NETR5", "TRIMBLE 4000SSE", "0.5 mg tablet", "12"];
    const values = [...many(900, (index) => models[index % 4] ?? ""), ...rare];
    expect(saidOf(variants, aColumn("model text", values))).toEqual([]);
  });

  test("what is small or large of its kind", () => {
    const values = [
      ...many(900, (index) => ["macrocytes", "Acute hyperkalemia"][index % 2] ?? ""),
      "microcytes",
      "Acute hypokalemia",
    ];
    expect(saidOf(variants, aColumn("test text", values))).toEqual([]);
    expect(
      saidOf(variants, aColumn("test text", [...values, "macrocites"])).map(({ rows }) => [...rows]),
    ).toEqual([[902]]);
  });

  test("what says the opposite", () => {
    const answers = ["Somewhat important", "Very important", "No opinion at all"];
    const rare = ["Somewhat unimportant", "Very unimportant"];
    const values = [...many(900, (index) => answers[index % 3] ?? ""), ...rare];
    expect(saidOf(variants, aColumn("answer text", values))).toEqual([]);
  });

  test("what the column points to has it, too, written so", () => {
    const letter = (index: number) => String.fromCharCode(97 + (index % 26));
    const codes = many(
      60,
      (index) => `AKQx${letter(index)}${["seven", "eight", "nine"][Math.floor(index / 26)]}Q`,
    );
    const people = aTable(
      ["id text", "name text"],
      [...codes, "AKQxbsevenz"].map((code) => [code, `N ${code}`]),
      "people",
    );
    const owners = [...many(900, (index) => codes[index % 9] ?? ""), "AKQxbsevenz", "AKQxbseveng"];
    const tasks = aTable(
      ["n integer", "owner_id text"],
      owners.map((owner, index) => [index, owner]),
      "tasks",
    );
    // One of the two is nobody.
    expect(saidOf(variants, people, tasks).map(({ rows }) => [...rows])).toEqual([[901]]);
  });

  test.each(seeds)("surnames, of which many are rare, are marked by that (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const syllables = [
      "mar",
      "tin",
      "son",
      "ber",
      "ger",
      "el",
      "ov",
      "ich",
      "smi",
      "th",
      "ward",
      "ley",
      "er",
      "man",
    ];
    const surname = () => many(2 + random.below(2), () => random.pick(syllables)).join("");
    const frequent = many(60, surname);
    const rows = many(2000, () => (random.chance(0.6) ? random.pick(frequent) : surname()));
    for (const { features } of saidOf(variants, aColumn("surname text", rows)))
      expect(features.othersRare).toBeGreaterThan(0.5);
  });
});

test("spaces around texts of which each is another are found, however many there are", () => {
  const names = many(30_000, (index) => (index % 100 === 0 ? ` Person ${index}` : `Person ${index}`));
  const table = aColumn("name", names);
  const [found, ...others] = saidOf(variants, table);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ condition: { is: "padded", column: "name" } });
  expect(found?.rows).toHaveLength(300);
  // A tab is a blank as well, but no space: then they are listed.
  const [listed] = saidOf(variants, aColumn("name", [...names, "\tPerson"]));
  expect(listed?.condition).toMatchObject({ is: "oneOf" });
});
