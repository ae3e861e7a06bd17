import { isSourceError, type Session } from "../data-sources/engines/engine.ts";
import type { Sample, SampleMode } from "../data-sources/sample.ts";
import { sampleSize, trimSample } from "../data-sources/trim-sample.ts";
import { compileFailingValues } from "./compile.ts";
import { limits } from "./limits.ts";
import type { AskedSample } from "./read-sample.ts";
import type { FailingValues } from "./schema.ts";

/**
 * How many failing rows have which value, counted by the data source and masked as a sample is; null for a rule whose
 * rows no value tells apart, and when the source does not say in time. `sample` is what was kept of the same rows.
 */
export async function readFailingValues(
  { dialect, target, rule, timeoutMs }: Omit<AskedSample, "keyColumns">,
  { mode, sample }: { mode: Exclude<SampleMode, "Off">; sample: Sample },
  lend: <T>(work: (session: Session) => Promise<T>) => Promise<T> | null,
): Promise<FailingValues | null> {
  const { column } = rule;
  const statement = compileFailingValues(rule, target, dialect, sampleSize.rows + 1);
  if (!statement || column === null || timeoutMs <= 0) return null;
  try {
    const found = await lend((session) =>
      session.read(statement, { timeoutMs, maxRows: sampleSize.rows + 1, maxBytes: limits.sampleBytes }),
    );
    if (found === null) return null;
    const values = trimSample(
      { columns: found.columns.slice(0, 1), rows: found.rows.map(([value = null]) => [value]) },
      { keyColumns: [], column, mode },
    );
    // What is masked in rows must not show here because other values gave it away there.
    if (sample.maskedColumns.includes(column) && values.maskedColumns.length === 0) return null;
    return {
      column,
      values: values.rows.map(([value = null], place) => ({ value, rows: Number(found.rows[place]?.[1]) })),
      isMasked: values.maskedColumns.length > 0,
      hasMore: found.rows.length > values.rows.length || found.truncated,
    };
  } catch (error) {
    // The rows themselves are there, and a lost connection shows with the next rule.
    if (!isSourceError(error)) throw error;
    return null;
  }
}
