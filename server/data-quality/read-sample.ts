import { performance } from "node:perf_hooks";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { isSourceError, type ResultSet, type Session } from "../data-sources/engines/engine.ts";
import { type SampleOptions, sampleSize } from "../data-sources/trim-sample.ts";
import {
  columnsSize,
  compileDifferences,
  compileSample,
  type MeasurableRule,
  type Target,
} from "./compile.ts";
import { limits } from "./limits.ts";
import { type RuleType, ruleDefinition } from "./rules/rules.ts";

export type AskedSample = {
  dialect: Dialect;
  target: Target;
  rule: MeasurableRule & { column: string | null };
  /** The primary key, if known. */
  keyColumns: readonly string[];
  timeoutMs: number;
};

/** Borrows a session; null if none is available. */
type Lend = <T>(work: (session: Session) => Promise<T>) => Promise<T> | null;

/**
 * Some of a rule's failing rows, in the server's order. If whole rows are too large, only their key and the rule's
 * column. null if there are none, and "no session" if none was available. Throws SourceError, and like `compileRule`.
 */
export async function readSample(
  { dialect, target, rule, keyColumns, timeoutMs }: AskedSample,
  lend: Lend,
): Promise<ResultSet | null | "no session"> {
  const until = performance.now() + timeoutMs;
  const changes = compileDifferences(rule, target, dialect);
  if (changes) {
    const read = (session: Session) => session.read(changes.statement, { timeoutMs, ...columnsSize });
    const found = await lend(read);
    return found === null ? "no session" : changes.differences(found);
  }
  const read = async (columns?: readonly string[]) => {
    const statement = compileSample(rule, target, dialect, { maxRows: sampleSize.rows, columns });
    const left = Math.ceil(until - performance.now());
    if (!statement || left <= 0) return null;
    const options = { timeoutMs: left, maxRows: sampleSize.rows, maxBytes: limits.sampleBytes };
    return (await lend((session) => session.read(statement, options))) ?? ("no session" as const);
  };
  const few = [...new Set([...keyColumns, ...(rule.column === null ? [] : [rule.column])])];
  try {
    const whole = await read();
    if (whole === null || whole === "no session" || whole.rows.length > 0 || !whole.truncated) return whole;
  } catch (error) {
    // The error of a row that is too large; any other error would recur with fewer columns.
    if (few.length === 0 || !isSourceError(error) || error.kind !== "statement") throw error;
  }
  return few.length === 0 ? null : read(few);
}

/** How a rule's sample is trimmed: the names and types of columns that changed are no data to mask or to put first. */
export const sampleOptions = (type: RuleType, options: SampleOptions): SampleOptions =>
  ruleDefinition(type).samples?.of === "changes" ? { keyColumns: [], column: null, mode: "Full" } : options;

/** How a sample that measuring found is trimmed: it is in order, and a name says which table a value is from. */
export const foundSample = (mode: SampleOptions["mode"]): SampleOptions => ({
  ...{ keyColumns: [], column: null, mode },
});
