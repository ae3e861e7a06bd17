import type { DuckDBConnection } from "@duckdb/node-api";
import { fileDialect } from "./file-dialect.ts";

const { quote } = fileDialect;

/** Numbers with more decimals are read as binary ones. */
const mostPlaces = 6;

const number = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";
const date = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const moment = `${date}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?`;

/** What is counted of the values of a text column, in this order. */
const counts = (column: string) => [
  `count(${column})`,
  fitting(column, "[+-]?[0-9]+", "bigint"),
  fitting(column, number, "double"),
  fitting(column, date, "date"),
  fitting(column, moment, "timestamp"),
  // `007` is a code: as a number it would be another value.
  `count(*) filter (where regexp_matches(${column}, '^[+-]?0[0-9]'))`,
  `count(*) filter (where contains(lower(${column}), 'e'))`,
  `coalesce(max(length(split_part(${column}, '.', 2))), 0)`,
  `coalesce(max(length(${column})), 0)`,
];

const fitting = (column: string, pattern: string, type: string) =>
  `count(*) filter (where regexp_full_match(${column}, '${pattern}') and try_cast(${column} as ${type}) is not null)`;

/**
 * As what the columns of a table of texts are read: as numbers, dates, or times if every value is one. A column with
 * a single value that is none stays text, so that this value is seen, and the others still count as what they are:
 * an expression for each.
 */
export async function typedColumns(
  connection: DuckDBConnection,
  table: string,
  names: readonly string[],
): Promise<string[]> {
  const typed: string[] = [];
  // One statement for so many columns, for the sake of very wide tables.
  for (let from = 0; from < names.length; from += 50) {
    const some = names.slice(from, from + 50).map(quote);
    const sql = `select ${some.flatMap(counts).join(", ")} from ${quote(table)}`;
    const [row = []] = (await connection.runAndReadAll(sql)).getRows();
    const figures = row.map(Number);
    const each = figures.length / some.length;
    for (const [index, column] of some.entries()) {
      const type = typeBy(figures.slice(index * each, (index + 1) * each));
      typed.push(type === null ? column : `cast(${column} as ${type}) as ${column}`);
    }
  }
  return typed;
}

function typeBy(figures: readonly number[]): string | null {
  const [values = 0, integers, numbers, dates, moments, padded = 0, exponents = 0, places = 0, length = 0] =
    figures;
  if (values === 0) return null;
  if (padded === 0 && integers === values) return "bigint";
  if (padded === 0 && numbers === values)
    return exponents === 0 && places <= mostPlaces && length <= 30 ? `decimal(38, ${places})` : "double";
  if (dates === values) return "date";
  return moments === values ? "timestamp" : null;
}
