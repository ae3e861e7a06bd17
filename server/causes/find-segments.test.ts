import { describe, expect, test } from "vitest";
import { randomFrom } from "../findings/random.fixture.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { observe } from "../profile/observed-table.ts";
import { findSegments } from "./find-segments.ts";
import type { Segment } from "./segment.ts";

type Row = readonly (string | number | null)[];

const column = (name: string, kind: ColumnFacts["kind"], isPrimaryKey = false): ColumnFacts => ({
  ...{ name, kind, type: kind, isNullable: true, isPrimaryKey },
});
const columns = [
  column("id", "integer", true),
  column("source", "text"),
  column("region", "text"),
  column("country", "text"),
  column("loaded_at", "time"),
  column("amount", "decimal"),
];
const [id, source, region, country, loadedAt, amount] = [0, 1, 2, 3, 4, 5];

/** Ten thousand orders of fifty days, 200 a day, whose properties have nothing to do with each other but one. */
function orders(seed = 1): Row[] {
  const random = randomFrom(seed);
  return Array.from({ length: 10_000 }, (_, index) => {
    const where = random.pick(["north", "south", "east", "west"]);
    const day = Math.floor(index / 200);
    return [
      index + 1,
      random.chance(0.04) ? "legacy" : random.pick(["web", "shop"]),
      where,
      // The same said in other words.
      where.slice(0, 1).toUpperCase(),
      new Date(Date.UTC(2026, 9, 1 + day, 3)).toISOString().replace("T", " ").replace(".000Z", "+00"),
      random.chance(0.1) ? null : (random.next() * 100).toFixed(2),
    ];
  });
}

const said = (segments: readonly Segment[]) =>
  segments.map(({ parts }) =>
    parts
      .map((part) => {
        if (part.is === "Missing") return `no ${part.column}`;
        return part.is === "Value"
          ? `${part.column}=${part.value}`
          : `${part.column} ${part.from?.slice(0, 10) ?? ""}..${part.to?.slice(0, 10) ?? ""}`;
      })
      .join(" & "),
  );

/** What is found among orders of which some fail. */
function causes(
  rows: readonly Row[],
  fails: (row: Row, place: number) => boolean,
  { about = [] as string[], mayShow = (_: string, __: string): boolean => true } = {},
) {
  const all = observe({ schemaName: "public", tableName: "orders", columns }, rows);
  const failing = observe({ schemaName: "public", tableName: "orders", columns }, rows.filter(fails));
  return said(findSegments({ all, failing }, { about, mayShow }));
}

/** Every so many rows fail for no reason. */
const now = (place: number) => place % 997 === 0;

describe("what failing rows have in common", () => {
  test("is a value that few other rows have", () => {
    expect(causes(orders(), (row, place) => row[source] === "legacy" || now(place))[0]).toBe("source=legacy");
  });

  test("is a value that is missing", () => {
    expect(causes(orders(), (row, place) => row[amount] === null || now(place))).toEqual(["no amount"]);
    expect(causes(orders(), (row) => row[amount] === null, { about: ["amount"] })).toEqual([]);
  });

  test("is when they came: since a day, until a day, or between two", () => {
    const from = (row: Row, after: string, before = "9999") =>
      String(row[loadedAt]).slice(0, 10) >= after && String(row[loadedAt]).slice(0, 10) <= before;
    expect(causes(orders(), (row, place) => from(row, "2026-11-15") || now(place))).toEqual([
      "loaded_at 2026-11-15..",
    ]);
    expect(causes(orders(), (row) => from(row, "2026-10-05", "2026-10-06"))).toEqual([
      "loaded_at 2026-10-05..2026-10-06",
    ]);
    expect(causes(orders(), (row) => from(row, "0000", "2026-10-03"))).toEqual(["loaded_at ..2026-10-03"]);
  });

  test("is both, where one alone tells less", () => {
    const fails = (row: Row, place: number) =>
      (row[source] === "web" && String(row[loadedAt]) >= "2026-11-11") || now(place);
    expect(causes(orders(), fails)[0]).toMatch(/^(source=web & )?loaded_at 2026-11-11\.\.( & source=web)?$/);
    expect(causes(orders(), fails)).toHaveLength(1);
  });

  test("is said once, also where two columns say the same", () => {
    expect(causes(orders(), (row) => row[region] === "north")).toHaveLength(1);
  });

  test("counts by its key where nothing says when rows came", () => {
    const rows = orders().map((row) => row.with(loadedAt, null));
    expect(causes(rows, (row) => Number(row[id]) > 9000)).toEqual(["id 9001.."]);
  });
});

describe("nothing is said", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("of rows that fail by chance (seed %i)", (seed) => {
    const random = randomFrom(seed * 77);
    expect(causes(orders(seed), () => random.chance(0.02))).toEqual([]);
  });

  test("of fewer than five rows, of all rows, and of none", () => {
    expect(causes(orders(), (row) => Number(row[id]) <= 4)).toEqual([]);
    expect(causes(orders(), () => true)).toEqual([]);
    expect(causes(orders(), () => false)).toEqual([]);
    expect(causes([], () => false)).toEqual([]);
  });

  test("of what failing rows have hardly more often than others", () => {
    const fails = (row: Row, place: number) => place % (row[source] === "web" ? 3 : 4) === 0;
    expect(causes(orders(), fails)).toEqual([]);
  });

  test("of a value that must not be shown", () => {
    const mayShow = (name: string) => name !== "region" && name !== "country";
    expect(causes(orders(), (row) => row[region] === "north", { mayShow })).toEqual([]);
  });
});

test("rows that were only sampled stand for all", () => {
  const rows = orders(3);
  const some = rows.filter((_, place) => place % 10 === 3);
  const fails = (row: Row) => row[source] === "legacy" && row[country] === "N";
  const all = observe({ schemaName: "public", tableName: "orders", columns }, some, {
    ...{ isWhole: false, totalRows: rows.length },
  });
  const failing = observe({ schemaName: "public", tableName: "orders", columns }, rows.filter(fails));
  const [first] = said(findSegments({ all, failing }, { about: [], mayShow: () => true }));
  expect(first?.split(" & ").sort()).toEqual([
    expect.stringMatching(/^(country=N|region=north)$/),
    "source=legacy",
  ]);
});
