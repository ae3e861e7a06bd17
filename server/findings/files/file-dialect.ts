import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { duckdb } from "../../data-sources/dialects/duckdb.ts";

/** A file that was read into memory, whose rows can be sampled from all over it at no cost. */
export const fileDialect: Dialect = {
  ...duckdb,
  label: "DuckDB",
  canSpread: true,
  someRows(columns, table, { maxRows, spreadOver }) {
    // A little more than is read, because chance chooses each row by itself; they stay in their order.
    const percent = Math.min(100, (102 * maxRows) / Math.max(1, spreadOver ?? 1));
    const sample = spreadOver === null ? "" : ` using sample ${percent.toFixed(6)} percent (bernoulli, 1)`;
    return `select ${columns.join(", ")} from ${table}${sample} limit ${maxRows}`;
  },
};
