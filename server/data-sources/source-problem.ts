import { Problem, type ProblemCode } from "../errors.ts";
import { BudgetSpent, isSourceError, type SourceErrorKind } from "./engines/engine.ts";

const codes: Record<SourceErrorKind, ProblemCode> = {
  unreachable: "source_unreachable",
  timeout: "source_timeout",
  refused: "rejected",
  statement: "rejected",
};

/** Converts a data source's failure to a Problem. Other errors are returned unchanged. */
export function asProblem(error: unknown): unknown {
  if (!isSourceError(error)) return error;
  const { kind, message, writtenPlace } = error;
  if (error instanceof BudgetSpent) return new Problem("rejected", message);
  return new Problem(codes[kind], message, writtenPlace ? { members: { position: writtenPlace } } : {});
}
