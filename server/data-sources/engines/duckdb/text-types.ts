import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";

const { quote } = duckdb;

/** Numbers with more decimals are read as binary ones. */
const mostPlaces = 6;

const number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";
const date = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const zone = "[ ]*(Z|[+-][0-9]{2}(:?[0-9]{2})?)";
const moment = `${date}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?`;

const only = (column: string, characters: string) =>
  `count(*) filter (where regexp_full_match(${column}, '[${characters}]*'))`;

/** What the values of a text column may be, by their characters: cheap, and never less than what they are. */
const looks = (column: string) => [
  `count(${column})`,
  only(column, "0-9+-"),
  only(column, "0-9.eE+-"),
  only(column, "0-9-"),
  only(column, "0-9:. T-"),
  only(column, "0-9:. TZ+-"),
  `count(*) filter (where lower(${column}) in ('true', 'false'))`,
];

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
  let rows = 0;
  // One statement for so many columns, for the sake of very wide tables.
  for (let from = 0; from < names.length; from += 50) {
    const some = names.slice(from, from + 50).map(quote);
    const [count = 0, ...seen] = await figures(connection, ["count(*)", ...some.flatMap(looks)], relation);
    rows = count;
    const columns = some.map((column, index) => lookOf(column, seen.slice(index * 7, (index + 1) * 7)));
    const asked = columns.flatMap(({ column, possible }) =>
      possible.length === 0 ? [] : [...possible.map((kind) => kinds[kind](column)), ...details(column)],
    );
    const answers = asked.length === 0 ? [] : await figures(connection, asked, relation);
    for (const { values, truths, possible } of columns) {
      const own = possible.length === 0 ? [] : answers.splice(0, possible.length + 4);
      const is = (kind: Kind) => possible.includes(kind) && own[possible.indexOf(kind)] === values;
      types.push(truths === values && values > 0 ? "boolean" : typeBy(is, own.slice(-4), areSome));
    }
  }
  return { types, rows };
}

async function figures(connection: DuckDBConnection, expressions: readonly string[], relation: string) {
  const sql = `select ${expressions.join(", ")} from ${relation}`;
  const [row = []] = (await connection.runAndReadAll(sql)).getRows();
  return row.map(Number);
}

function lookOf(column: string, [values = 0, ...counts]: readonly number[]) {
  const possible = values === 0 ? [] : kindNames.filter((_, index) => counts[index] === values);
  return { column, values, truths: counts[kindNames.length] ?? 0, possible };
}

function typeBy(is: (kind: Kind) => boolean, numbers: readonly number[], areSome: boolean): string | null {
  const [padded = 0, exponents = 0, places = 0, length = 0] = numbers;
  if (padded === 0 && is("integer")) return "bigint";
  if (padded === 0 && is("number"))
    return exponents === 0 && places <= mostPlaces && length <= 30 && !areSome
      ? `decimal(${length > 18 ? 38 : 18}, ${places})`
      : "double";
  if (is("date")) return "date";
  if (is("moment")) return "timestamp";
  return is("zoned") ? "timestamp with time zone" : null;
}
