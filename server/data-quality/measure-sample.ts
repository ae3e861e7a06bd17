import { performance } from "node:perf_hooks";
import { isSourceError, type ResultSet, type Session } from "../data-sources/engines/engine.ts";
import { compileSample, type MeasurableRule, type SqlEngine, type Target } from "./compile.ts";
import { limits } from "./limits.ts";
import { saysThatItCouldNotRun } from "./measure.ts";
import type { RuleType } from "./rules/configuration.ts";
import type { Verdict } from "./rules/rule.ts";
import { ruleDefinitions } from "./rules/rules.ts";
import { sampleSize } from "./sample.ts";

/** Whether there are rows to show for a verdict: it failed on rows, and not because it could not run. */
export function hasSample(type: RuleType, { passed, message }: Pick<Verdict, "passed" | "message">): boolean {
  return !passed && ruleDefinitions[type].sample !== undefined && !saysThatItCouldNotRun(message);
}

type Asked = {
  engine: SqlEngine;
  target: Target;
  rule: MeasurableRule & { column: string | null };
  /** The primary key, where it is known. */
  keyColumns: readonly string[];
  timeoutMs: number;
};

/** Lends a session; null when there is none to be had. */
type Lend = <T>(work: (session: Session) => Promise<T>) => Promise<T> | null;

/**
 * Some of the rows that a rule fails for, in whatever order the server finds them. Where whole rows are too large,
 * their key and the rule's column have to do. null when there is nothing to be had, and "no session" when none was
 * lent. Throws SourceError, and what compiling does.
 */
export async function readSample(
  { engine, target, rule, keyColumns, timeoutMs }: Asked,
  lend: Lend,
): Promise<ResultSet | null | "no session"> {
  const until = performance.now() + timeoutMs;
  const read = async (columns?: readonly string[]) => {
    const statement = compileSample(rule, target, engine, { maxRows: sampleSize.rows, columns });
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
    // As it says of a row that is too large; what is wrong otherwise will be so the second time.
    if (few.length === 0 || !isSourceError(error) || error.kind !== "statement") throw error;
  }
  return few.length === 0 ? null : read(few);
}
