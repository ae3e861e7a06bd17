import { describe, expect, test } from "vitest";
import { rowsAgainst } from "../condition.ts";
import { randomFrom } from "../random.fixture.ts";
import { aTable, saidOf } from "../table.fixture.ts";
import { inconsistencies } from "./inconsistent.ts";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const seeds = [1, 2, 3, 4, 5];

/** Addresses: the ZIP decides city and state, and nothing decides the amount. */
function addresses(seed: number) {
  const random = randomFrom(seed);
  const places = many(80, (index) => [
    String(10_000 + index * 37),
    `City ${index % 60}`,
    `State ${index % 12}`,
  ]);
  return { random, rows: many(1500, () => [...random.pick(places), random.below(5000)]) };
}
const columns = ["zip text", "city text", "state text", "amount integer"];

describe("rows that differ from all others with the same value", () => {
  test.each(seeds)("are found, and only they (seed %d)", (seed) => {
    const { random, rows } = addresses(seed);
    const planted = random.some(4, rows.length);
    for (const row of planted) {
      const at = rows[row] ?? [];
      at[1] = rows.find((other) => other[1] !== at[1])?.[1] ?? "";
    }
    const table = aTable(columns, rows);
    const found = saidOf(inconsistencies, table).filter(({ statement }) =>
      statement.includes("each zip has one city"),
    );
    expect(found.map((each) => [...each.rows])).toEqual([planted]);
    for (const { condition } of found)
      expect([...rowsAgainst(condition ?? { is: "any", of: [] }, table)]).toEqual(planted);
    expect(found[0]?.features).toMatchObject({ hasMajority: 1, decidesOthers: expect.any(Number) });
  });

  test("are both shown where neither is usual", () => {
    const rows = [
      ...many(40, (index) => [`z${index % 10}`, `c${index % 10}`]),
      ["new", "here"],
      ["new", "there"],
    ];
    const [found] = saidOf(inconsistencies, aTable(["zip text", "city text"], rows));
    expect([...(found?.rows ?? [])]).toEqual([40, 41]);
    expect(found?.statement).toBe(
      "In things, each zip has one city, except 1 of 11 values: “new” has “here” (1) and “there” (1).",
    );
  });

  test("may have no value at all", () => {
    const rows = many(200, (index) => [`z${index % 20}`, index === 77 ? null : `c${index % 20}`]);
    const [found] = saidOf(inconsistencies, aTable(["zip text", "city text"], rows));
    expect([...(found?.rows ?? [])]).toEqual([77]);
    expect(found?.condition).toEqual({
      is: "any",
      of: [
        {
          is: "all",
          of: [
            { is: "oneOf", column: "zip", values: ["z17"] },
            { is: "null", column: "city" },
          ],
        },
      ],
    });
  });
});

describe("a rare state that may come with anything", () => {
  /** Lots of sixty sales, of which each is held in one hall and sold; some of other sales are not. */
  const lots = (state: (index: number) => string) =>
    many(3000, (index) => [
      `sale${index % 60}`,
      `hall${(index % 60) % 7}`,
      index % 497 === 3 ? state(index) : `kind${(index % 60) % 9}`,
    ]);
  const features = (state: (index: number) => string) =>
    saidOf(inconsistencies, aTable(["sale text", "hall text", "kind text"], lots(state)))
      .filter(({ columns: [name] }) => name === "kind")
      .map((found) => [[...found.rows], found.features.isOneState]);

  const at = [3, 500, 997, 1494, 1991, 2488, 2985];

  test("is one and the same in all exceptions", () => {
    expect(features(() => "withdrawn")).toContainEqual([at, 1]);
  });

  test("is no slip that differs from one to the next, nor a value that many have", () => {
    expect(features((index) => `kin${index}`)).toContainEqual([at, 0]);
    // Of kind8, 7 of more than 300 rows are exceptions.
    const often = features(() => "kind8").find(([rows]) => String(rows) === String(at));
    expect(often?.[1]).toBeLessThan(0.03);
  });
});

/** Days with the version of a program that was changed on one of them. */
const versions = (at: readonly (readonly [row: number, version: string])[] = []) => {
  const rows = many(2000, (index): (string | number)[] => {
    const day = Math.floor(index / 20);
    return [new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10), day < 60 ? "v1" : "v2", index];
  });
  for (const [row, version] of at) (rows[row] ?? [])[1] = version;
  return saidOf(inconsistencies, aTable(["day date", "version text", "n integer"], rows)).map((found) => [
    ...found.rows,
  ]);
};

test("around a change, what is usual before and afterwards is there together", () => {
  expect(versions()).toEqual([]);
  // The sixtieth day begins with row 1,200; that day and the next, some still have the old one.
  expect(
    versions([
      [1203, "v1"],
      [1224, "v1"],
    ]),
  ).toEqual([]);
  expect(versions([[500, "v2"]])).toEqual([[500]]);
  expect(versions([[1203, "v3"]])).toEqual([[1203]]);
});

test("what one group has again and again is another value of it, and less sure", () => {
  const sure = (times: number) => {
    const rows = many(3000, (index) => [
      `k${index % 30}`,
      index % 30 === 4 && index < 30 * times ? "mm" : `u${index % 6}`,
    ]);
    return saidOf(inconsistencies, aTable(["value text", "unit text"], rows))[0]?.features.often;
  };
  expect(sure(1)).toBe(0);
  expect(sure(20)).toBeCloseTo(Math.log10(20) / 1.5, 5);
});

describe("nothing is said", () => {
  test.each(seeds)("of rows that have nothing in common but a placeholder (seed %d)", (seed) => {
    const { random, rows } = addresses(seed);
    for (const row of random.some(5, rows.length)) (rows[row] ?? [])[0] = "N/A";
    expect(
      saidOf(inconsistencies, aTable(columns, rows)).filter(({ columns: [name] }) => name !== "zip"),
    ).toEqual([]);
  });

  test.each(seeds)("of columns that go their own ways (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const rows = many(2000, () => [
      random.below(50),
      random.below(9),
      random.chance(0.98) ? "Standard" : "Express",
      random.below(1800),
    ]);
    expect(
      saidOf(inconsistencies, aTable(["a integer", "b integer", "mode text", "c integer"], rows)),
    ).toEqual([]);
  });

  test.each(seeds)("of prices that change now and then (seed %d)", (seed) => {
    const random = randomFrom(seed);
    const rows = many(3000, (index) => {
      const product = random.below(60);
      return [product, 10 + product + (index > 1200 && product % 2 === 0 ? 1 : 0)];
    });
    expect(saidOf(inconsistencies, aTable(["product integer", "price integer"], rows))).toEqual([]);
  });

  test.each(seeds)("of groups that keep to it without exception (seed %d)", (seed) => {
    expect(saidOf(inconsistencies, aTable(columns, addresses(seed).rows))).toEqual([]);
  });
});

test.each([
  ["status", "material", 0],
  ["status", "status_name", 1],
  ["odometer", "warranty", 0],
  ["visit", "warranty", 1],
])("that each %s has one %s is said %i times", (by, column, times) => {
  const rows = many(400, (index) => [index % 40, `m${(index % 40) % 7}`]);
  rows[9] = [9, "m5"];
  const said = saidOf(inconsistencies, aTable([`${by} integer`, `${column} text`], rows));
  expect(said.filter(({ columns: [doubted] }) => doubted === column)).toHaveLength(times);
});

test("what holds for all but one value, as the others all have the same, is no law", () => {
  // Goals in a shoot-out mean that there was one; 0 of them nearly always means that there was none.
  const goals = (index: number) => (index % 40 === 7 ? 1 + (index % 5) : 0);
  const rows = many(2000, (index) => [goals(index), goals(index) > 0 || index === 100 ? "yes" : "no"]);
  expect(saidOf(inconsistencies, aTable(["shootout integer", "had_one text"], rows))).toEqual([]);
});

test("one version of two makers has nothing in common", () => {
  const rows = many(900, (index) => [`4.${index % 60}`, index === 30 ? "Leica" : `Maker ${index % 3}`]);
  const said = (by: string) => saidOf(inconsistencies, aTable([`${by} text`, "maker text"], rows));
  expect(said("version")).toEqual([]);
  expect(said("part").map(({ rows }) => [...rows])).toEqual([[30]]);
});

test("two people of one day have nothing else in common, and one number is not two by rounding", () => {
  const random = randomFrom(5);
  const groups = many(60, () => `G${random.below(5)}`);
  const rowsBy = (nameOf: (index: number) => string) =>
    many(1200, (index) => [nameOf(index % 60), index === 500 ? "G9" : (groups[index % 60] ?? "")]);
  const dayOf = (index: number) => `2024-0${1 + (index % 9)}-${10 + (index % 19)}`;
  expect(saidOf(inconsistencies, aTable(["first_dose date", "age_group text"], rowsBy(dayOf)))).toEqual([]);
  const batches = aTable(
    ["batch text", "age_group text"],
    rowsBy((index) => `B${index}`),
  );
  expect(saidOf(inconsistencies, batches).map(({ rows }) => [...rows])).toEqual([[500]]);
  const shares = many(900, (index) => [
    `p${index % 60}`,
    index === 61 ? 0.1 + 0.2 : ([0, 0.3, 0.5, 0.7][index % 4] ?? 0),
  ]);
  expect(saidOf(inconsistencies, aTable(["product text", "share float"], shares))).toEqual([]);
});

test("what no group keeps to is no law", () => {
  const rows = many(2400, (index) => [`k${index % 6}`, index < 24 ? "none" : `u${index % 6}`]);
  expect(saidOf(inconsistencies, aTable(["test text", "unit text"], rows))).toEqual([]);
});
