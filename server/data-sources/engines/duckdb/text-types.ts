import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";

const { quote } = duckdb;

/** Numbers with more decimals are read as binary ones. */
const mostPlaces = 6;

const number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";
const date = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const zone = "[ ]*(Z|[+-][0-9]{2}(:?[0-9]{2})?)";
const moment = `${date}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?`;

const fitting = (column: string, pattern: string, type: string) =>
  `count(*) filter (where regexp_full_match(${column}, '${pattern}') and try_cast(${column} as ${type}) is not null)`;

/** What they are, for each of the kinds that they may be. */
const kinds = {
  integer: (column: string) => fitting(column, "[+-]?[0-9]+", "bigint"),
  number: (column: string) => fitting(column, number, "double"),
  date: (column: string) => fitting(column, date, "date"),
  moment: (column: string) => fitting(column, moment, "timestamp"),
  zoned: (column: string) => fitting(column, `${moment}${zone}`, "timestamptz"),
};
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

const truths = (column: string) => `count(*) filter (where lower(${column}) in ('true', 'false'))`;

/** Of numbers, in this order. */
const details = (column: string) => [
  // `007` is a code: as a number it would be another value.
  `count(*) filter (where regexp_matches(${column}, '^[+-]?0[0-9]'))`,
  `count(*) filter (where contains(lower(${column}), 'e'))`,
  `coalesce(max(length(split_part(${column}, '.', 2))), 0)`,
  `coalesce(max(length(${column})), 0)`,
];

export type TextTypes = {
  /** By column: what every value is, or null for texts. */
  types: (string | null)[];
  rows: number;
};

/** What the first rows are not, all rows are not, and no other row needs to be looked at for that. */
const first = 20_000;
/** One statement for so many columns, for the sake of very wide tables. */
const atOnce = 50;

/**
 * As what the columns of a relation of texts can be read: as numbers, dates, times, or truth values if every value is
 * one. If these are only `some` of the rows, numbers with decimals are doubles, as the others may have more places.
 */
export async function textTypes(
  connection: DuckDBConnection,
  relation: string,
  names: readonly string[],
  { areSome = false }: { areSome?: boolean } = {},
): Promise<TextTypes> {
  const types: (string | null)[] = [];
  let rows: number | null = null;
  for (let from = 0; from < names.length; from += atOnce) {
    const columns = names.slice(from, from + atOnce).map(quote);
    const found = await typesOf(connection, relation, columns, areSome);
    types.push(...found.types);
    rows ??= found.rows;
  }
  return { types, rows: rows ?? (await figures(connection, ["count(*)"], relation))[0] ?? 0 };
}

/** `rows` is null where nothing had to be asked of all of them. */
async function typesOf(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly string[],
  areSome: boolean,
): Promise<{ types: (string | null)[]; rows: number | null }> {
  const start = `(select ${columns.join(", ")} from ${relation} limit ${first})`;
  const [some = 0, ...seen] = await figures(connection, ["count(*)", ...columns.flatMap(looks)], start);
  const types: (string | null)[] = columns.map(() => null);
  let asked = columns.map((column, index) => ({
    column,
    index,
    possible: possibleOf(seen.slice(index * looksPerColumn, (index + 1) * looksPerColumn), some === first),
  }));
  let rows: number | null = some < first ? some : null;
  // What is most likely first; what is not that is asked about again.
  for (;;) {
    asked = asked.filter(({ possible }) => possible.length > 0);
    if (asked.length === 0) break;
    const expressions = asked.flatMap(({ column, possible: [kind] }) => asking(column, kind));
    const [count = 0, ...answers] = await figures(connection, ["count(*)", ...expressions], relation);
    rows ??= count;
    for (const each of asked) {
      const [kind = "boolean", ...others] = each.possible;
      const [values = 0, fit = 0, ...numbers] = answers.splice(0, asking(each.column, kind).length);
      const type = values > 0 && fit === values ? typeBy(kind, numbers, areSome) : null;
      types[each.index] = type;
      each.possible = type === null ? others : [];
    }
  }
  return { types, rows };
}

async function figures(connection: DuckDBConnection, expressions: readonly string[], relation: string) {
  const sql = `select ${expressions.join(", ")} from ${relation}`;
  const [row = []] = (await connection.runAndReadAll(sql)).getRows();
  return row.map(Number);
}

/** How many values there are, and how many of them are of each kind. */
const looks = (column: string) => [
  `count(${column})`,
  truths(column),
  ...kindNames.map((kind) => kinds[kind](column)),
];
const looksPerColumn = kindNames.length + 2;

/** What the values may be, the narrowest first. Where the first rows have none, they may be anything. */
function possibleOf([values = 0, ...counts]: readonly number[], areMore: boolean): (Kind | "boolean")[] {
  const all = ["boolean", ...kindNames] as const;
  if (values === 0) return areMore ? [...all] : [];
  return all.filter((_, index) => counts[index] === values);
}

/** The number of values, of those of the kind, and what else tells the type. */
const asking = (column: string, kind: Kind | "boolean" = "boolean"): string[] => [
  `count(${column})`,
  kind === "boolean" ? truths(column) : kinds[kind](column),
  ...(kind === "integer" || kind === "number" ? details(column) : []),
];

/** null if it would be another value as that. */
function typeBy(kind: Kind | "boolean", numbers: readonly number[], areSome: boolean): string | null {
  const [padded = 0, exponents = 0, places = 0, length = 0] = numbers;
  switch (kind) {
    case "boolean":
      return "boolean";
    case "integer":
      return padded === 0 ? "bigint" : null;
    case "number":
      if (padded > 0) return null;
      return exponents === 0 && places <= mostPlaces && length <= 30 && !areSome
        ? `decimal(${length > 18 ? 38 : 18}, ${places})`
        : "double";
    case "date":
      return "date";
    case "moment":
      return "timestamp";
    case "zoned":
      return "timestamp with time zone";
  }
}
