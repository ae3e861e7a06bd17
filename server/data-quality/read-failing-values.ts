import { isSourceError, type ResultSet, type Session } from "../data-sources/engines/engine.ts";
import type { Sample, SampleMode } from "../data-sources/sample.ts";
import { sampleSize, trimSample } from "../data-sources/trim-sample.ts";
import { compileFailingValues, isToldByValue } from "./compile.ts";
import type { KeptValues } from "./evaluations/tables.ts";
import { valueIdentity } from "./known-failures.ts";
import { limits } from "./limits.ts";
import type { AskedSample } from "./read-sample.ts";
import { ruleDefinition } from "./rules/rules.ts";
import type { FailingValues } from "./sample-schema.ts";

/**
 * How many failing rows have which value, counted by the data source and masked as a sample is; null for a rule whose
 * rows no value tells apart, and when the source does not say in time. `found` is what was read of the same rows, and
 * `sample` what was kept of it.
 */
export async function readFailingValues(
  { dialect, target, rule, timeoutMs }: Omit<AskedSample, "keyColumns">,
  {
    mode,
    found,
    sample,
  }: { mode: Exclude<SampleMode, "Off">; found: Pick<ResultSet, "columns" | "rows">; sample: Sample },
  lend: <T>(work: (session: Session) => Promise<T>) => Promise<T> | null,
): Promise<KeptValues | null> {
  const { column } = rule;
  if (column === null || !isToldByValue(rule)) return null;
  const isList = ruleDefinition(rule.type).samples?.of === "values";
  // Such a sample already is a list of values with their rows.
  if (isList) return keptValues(column, found, found.rows.length >= sampleSize.rows, { mode, sample });
  const statement = compileFailingValues(rule, target, dialect, sampleSize.rows + 1);
  if (!statement || timeoutMs <= 0) return null;
  try {
    const values = await lend((session) =>
      session.read(statement, { timeoutMs, maxRows: sampleSize.rows + 1, maxBytes: limits.sampleBytes }),
    );
    if (values === null) return null;
    const hasMore = values.rows.length > sampleSize.rows || values.truncated;
    return keptValues(column, values, hasMore, { mode, sample });
  } catch (error) {
    // The rows themselves are there, and a lost connection shows with the next rule.
    if (!isSourceError(error)) throw error;
    return null;
  }
}

/** Without what recognizes the values. */
export const shownValues = (kept: KeptValues | null | undefined): FailingValues | null =>
  kept ? { ...kept, values: kept.values.map(({ value, rows }) => ({ value, rows })) } : null;

/** Values in the first column, and their rows in the second. */
function keptValues(
  column: string,
  { columns, rows }: Pick<ResultSet, "columns" | "rows">,
  hasMore: boolean,
  { mode, sample }: { mode: Exclude<SampleMode, "Off">; sample: Sample },
): KeptValues | null {
  const shown = trimSample(
    { columns: columns.slice(0, 1), rows: rows.map(([value = null]) => [value]) },
    { keyColumns: [], column, mode },
  );
  // What is masked in rows must not show here because other values gave it away there.
  if (sample.maskedColumns.includes(column) && shown.maskedColumns.length === 0) return null;
  return {
    column,
    values: shown.rows.map(([value = null], place) => ({
      value,
      rows: Number(rows[place]?.[1]),
      identity: valueIdentity(column, rows[place]?.[0] ?? null),
    })),
    isMasked: shown.maskedColumns.length > 0,
    hasMore: hasMore || rows.length > shown.rows.length,
  };
}
