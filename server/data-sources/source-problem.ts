import { Problem, type ProblemCode } from "../errors.ts";
import { isSourceError, type SourceErrorKind } from "./engines/engine.ts";

const codes: Record<SourceErrorKind, ProblemCode> = {
  unreachable: "source_unreachable",
  timeout: "source_timeout",
  refused: "rejected",
  statement: "rejected",
};

/** What a caller is told when a data source did not do what was asked. Anything else that was thrown stays. */
export function asProblem(error: unknown): unknown {
  return isSourceError(error) ? new Problem(codes[error.kind], error.message) : error;
}
