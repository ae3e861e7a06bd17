import { ZodError } from "zod";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import {
  isSourceError,
  type ResultSet,
  type Session,
  SourceError,
  type Statement,
} from "../data-sources/engines/engine.ts";
import { problemIn } from "../errors.ts";
import { log } from "../telemetry/log.ts";
import { type CompiledRule, compileRule, compileScan, type MeasurableRule, type Target } from "./compile.ts";
import { limits } from "./limits.ts";
import { couldNotRun, type Verdict } from "./rules/verdict.ts";

/** The maximum size of a statement's only row; messages and observed values are never longer. */
const maxRowBytes = 256 * 1024;

/** Compiles, runs, and interprets one rule within its time limit. Throws SourceError, and like `compileRule`. */
export async function measureRule(
  session: Session,
  dialect: Dialect,
  target: Target,
  rule: MeasurableRule,
): Promise<Verdict> {
  const { statement, size, interpret } = compileRule(rule, target, dialect);
  return interpret(await ask(session, statement, size));
}

/**
 * Measures rules that share a scan, all within the time limit of one, so that none can exceed its own. Throws
 * SourceError, which does not say which rule caused it.
 */
export async function measureTogether(
  session: Session,
  dialect: Dialect,
  target: Target,
  rules: readonly MeasurableRule[],
): Promise<Verdict[]> {
  const { statement, interpret } = compileScan(rules, target, dialect);
  const result = await ask(session, statement);
  if (result.rows.length === 0) throw new SourceError("statement", "The result is too large to read");
  return interpret.map((verdictIn) => {
    try {
      return verdictIn(result);
    } catch (error) {
      return executionFailed(error);
    }
  });
}

function ask(
  session: Session,
  statement: Statement,
  size: CompiledRule["size"] = { maxRows: 1, maxBytes: maxRowBytes },
): Promise<ResultSet> {
  return session.read(statement, {
    timeoutMs: limits.ruleTimeoutMs,
    ...size,
  });
}

/** The verdict on a rule that could not be measured: failed, with score 0 and the specification's message. */
export function executionFailed(error: unknown): Verdict {
  return couldNotRun(reasonOf(error));
}

/** The part of an error that may be shown: messages intended for users, and nothing of a bug. */
function reasonOf(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return `the configuration is invalid: ${issue?.path.join(".")}: ${issue?.message}`;
  }
  if (isSourceError(error)) return error.message;
  const problem = problemIn(error);
  if (problem) return problem.detail;
  log.error({ err: error }, "A rule could not be measured");
  return "internal error";
}

/** Whether the connection broke or could not be opened. */
export function isUnreachable(error: unknown): error is SourceError {
  return isSourceError(error) && error.kind === "unreachable";
}
