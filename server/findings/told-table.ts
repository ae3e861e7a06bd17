import { maskRows } from "../masking.ts";
import { type ObservedColumn, valueAt } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { shortened } from "../text.ts";
import { columnsIn } from "./condition.ts";
import { withRows } from "./doubted.ts";
import { maskedWords } from "./masked.ts";
import type { Merged } from "./merge.ts";
import type { ToldTable } from "./review.ts";

/** So much of a table is told at most; values in characters. */
const most = { columns: 60, findings: 20, values: 4, rows: 3, length: 80, shown: 5 };

/** The findings that a model is told of: the surest ones, by their places in the list. Pure. */
export const toldFindings = (found: readonly Merged[]): readonly Merged[] => found.slice(0, most.findings);

/**
 * What a language model is told of a table and of what was found in it. Values are masked as they are in samples, and
 * a column is masked whole where one of its examples must be. Pure.
 */
export function toldTable(table: ObservedTable, found: readonly Merged[]): ToldTable {
  const { schemaName, tableName, rowCount, isWhole, columns } = table;
  return {
    ...{ schemaName, tableName, rowsRead: rowCount, isWhole },
    columns: columns.slice(0, most.columns).map((column) => ({
      ...{ name: column.name, type: column.type, isPrimaryKey: column.isPrimaryKey },
      ...{ nulls: column.nulls, different: column.values.length },
      examples: examplesOf(column),
    })),
    findings: toldFindings(found).map(({ candidate, confidence }, id) => {
      const { kind, columns, rows } = candidate;
      const { statement, evidence } = maskedWords(columns, candidate);
      const { doubted, usual, range, since } = evidence;
      return {
        ...{
          id,
          kind,
          columns,
          confidence: Math.round(confidence * 100) / 100,
          rows: rows.length,
          statement,
        },
        evidence: {
          ...(doubted && { doubted: doubted.slice(0, most.shown).map(short) }),
          ...(usual && { usual: usual.slice(0, most.shown).map(short) }),
          ...(range && { range }),
          ...(since !== undefined && { since }),
        },
        examples: rowsOf(candidate),
      };
    }),
  };
}

const short = ({ value, rows }: { value: string; rows: number }) => ({
  value: shortened(value, most.length),
  rows,
});

/** The most frequent values. */
function examplesOf(column: ObservedColumn) {
  const values = withRows(column, column.values.keys()).slice(0, most.values);
  const masked = maskRows({ columns: [column], rows: values.map(({ value }) => [value]) }).rows;
  return values.map(({ rows }, at) => short({ value: String(masked[at]?.[0] ?? ""), rows }));
}

/** Some of the doubted rows: their keys, and the columns that the finding reads. */
function rowsOf({ table, columns, condition, rows }: Merged["candidate"]) {
  const read = new Set([...columns, ...(condition ? columnsIn(condition) : [])]);
  const shown = table.columns.filter(({ name, isPrimaryKey }) => isPrimaryKey || read.has(name));
  const masked = maskRows({
    columns: shown,
    rows: [...rows.slice(0, most.rows)].map((row) => shown.map((column) => valueAt(column, row))),
  }).rows;
  return masked.map((row) =>
    Object.fromEntries(
      shown.map(({ name }, at) => {
        const cell = row[at] ?? null;
        return [name, typeof cell === "string" ? shortened(cell, most.length) : cell];
      }),
    ),
  );
}
