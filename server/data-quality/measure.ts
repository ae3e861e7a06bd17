import { ZodError } from "zod";
import {
  isSourceError,
  type ResultSet,
  type Session,
  SourceError,
  type Statement,
} from "../data-sources/engines/engine.ts";
import { problemIn } from "../errors.ts";
import { log } from "../log.ts";
import { compileRule, compileScan, type MeasurableRule, type SqlEngine, type Target } from "./compile.ts";
import { limits } from "./limits.ts";
import { couldNotRun, executionFailedPrefix, UnsupportedDialect, type Verdict } from "./rules/rule.ts";

/** What a statement's one row may weigh; a message or an observed value is not longer. */
const maxRowBytes = 256 * 1024;

/** Compiles, runs and interprets one rule, within its own time limit. Throws SourceError, and what compiling does. */
export async function measureRule(
  session: Session,
  engine: SqlEngine,
  target: Target,
  rule: MeasurableRule,
): Promise<Verdict> {
  const { statement, interpret } = compileRule(rule, target, engine);
  return interpret(await ask(session, statement));
}

/**
 * Measures rules that share a scan, all within the time limit of one: what none of them could exceed alone, they
 * do not exceed together. Throws SourceError; which of them is to blame is then not known.
 */
export async function measureTogether(
  session: Session,
  engine: SqlEngine,
  target: Target,
  rules: readonly MeasurableRule[],
): Promise<Verdict[]> {
  const { statement, interpret } = compileScan(rules, target, engine);
  const result = await ask(session, statement);
  if (result.rows.length === 0) throw new SourceError("statement", "The answer is too large to be read");
  return interpret.map((verdictIn) => {
    try {
      return verdictIn(result);
    } catch (error) {
      return executionFailed(error);
    }
  });
}

function ask(session: Session, statement: Statement): Promise<ResultSet> {
  return session.read(statement, {
    timeoutMs: limits.ruleTimeoutMs,
    maxRows: 1,
    maxBytes: maxRowBytes,
  });
}

/** The verdict on a rule that could not be measured: failed, with score 0 and the specification's message. */
export function executionFailed(error: unknown): Verdict {
  return couldNotRun(reasonOf(error));
}

/** Whether a stored message is that of a rule that could not be measured. */
export function saysThatItCouldNotRun(message: string | null): boolean {
  return message?.startsWith(executionFailedPrefix) ?? false;
}

/** What may be shown of an error: texts that were made to be, and of a bug nothing. */
function reasonOf(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return `the configuration does not fit: ${issue?.path.join(".")}: ${issue?.message}`;
  }
  if (isSourceError(error) || error instanceof UnsupportedDialect) return error.message;
  const problem = problemIn(error);
  if (problem) return problem.detail;
  log.error({ err: error }, "A rule could not be measured");
  return "internal error";
}

/** Whether the connection broke, or never was. */
export function isUnreachable(error: unknown): error is SourceError {
  return isSourceError(error) && error.kind === "unreachable";
}
