import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { Problem, type ProblemCode, problemIn, problems } from "../errors.ts";
import { log } from "../telemetry/log.ts";
import { fieldErrors } from "../trpc.ts";

/** What callers see of an error, in every API: its code, status, and message, as RFC 9457 has them. */
export type AnsweredProblem = Problem["more"] & {
  code: ProblemCode | "internal";
  status: number;
  title: string;
  detail: string;
};

type Call = {
  requestId: string | undefined;
  /** The detail for invalid input, if the API has its own wording. */
  invalid?: string;
  /** What the log says about a bug, and which call it was. */
  failed: string;
  about?: Record<string, unknown>;
};

const internal = {
  code: "internal",
  status: 500,
  title: "Internal error",
  detail: "Internal error",
} as const;

/** Anything but a Problem is a bug: it is logged and reported as "Internal error". */
export function answeredProblem(
  error: unknown,
  { requestId, invalid = "The request is not valid", failed, about }: Call,
): AnsweredProblem {
  const problem = problemIn(error) ?? invalidInput(error, invalid);
  if (!problem) {
    log.error({ err: error, requestId, ...about }, failed);
    return internal;
  }
  const { code, detail, more } = problem;
  const { status, title } = problems[code];
  return { code, status, title, detail, ...more };
}

function invalidInput(error: unknown, detail: string): Problem | null {
  const isOfInput = error instanceof TRPCError && error.code === "BAD_REQUEST";
  if (!isOfInput || !(error.cause instanceof ZodError)) return null;
  return new Problem("invalid", detail, { errors: fieldErrors(error.cause) });
}
