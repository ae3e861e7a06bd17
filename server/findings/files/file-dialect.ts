import type { ColumnKind, Dialect } from "../../data-sources/dialects/dialect.ts";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import { kindBy } from "../../data-sources/dialects/standard.ts";

/** What DuckDB's SQL is like: PostgreSQL's, but for its types and for how some rows are chosen. */
export const fileDialect: Dialect = {
  ...postgresql,
  label: "DuckDB",
  kindOf: kindBy<ColumnKind>(
    [
      [/^u?(tinyint|smallint|integer|bigint|hugeint)$/, "integer"],
      [/^decimal\b(?!.*\[)/, "decimal"],
      [/^(float|double)$/, "float"],
      [/^(varchar$|enum\b(?!.*\[))/, "text"],
      [/^uuid$/, "uuid"],
      [/^date$/, "date"],
      [/^timestamp\b(?!.*\[)/, "time"],
    ],
    "other",
  ),
  numberIn: (text) =>
    `case when regexp_full_match(${text}, '[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?[ ]*') then try_cast(${text} as double) end`,
  momentIn: (text) =>
    `case when regexp_full_match(${text}, '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].+)?') then try_cast(${text} as timestamptz) at time zone 'UTC' end`,
  someRows(columns, table, { maxRows, spreadOver }) {
    // A little more than is read, because chance chooses each row by itself; they stay in their order.
    const percent = Math.min(100, (102 * maxRows) / Math.max(1, spreadOver ?? 1));
    const sample = spreadOver === null ? "" : ` using sample ${percent.toFixed(6)} percent (bernoulli, 1)`;
    return `select ${columns.join(", ")} from ${table}${sample} limit ${maxRows}`;
  },
};
