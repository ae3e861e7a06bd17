import type { TRPCError } from "@trpc/server";

/**
 * Every failure a caller can act on, by code.
 *
 * `trpc` is tRPC's error code, `status` the HTTP status for REST (RFC 9457).
 * Anything else that is thrown is a bug: callers see "Internal error" and a request ID.
 */
export const problems = {
  invalid: { trpc: "BAD_REQUEST", status: 400, title: "Invalid request" },
  unauthenticated: { trpc: "UNAUTHORIZED", status: 401, title: "Unauthorized" },
  forbidden: { trpc: "FORBIDDEN", status: 403, title: "Forbidden" },
  not_found: { trpc: "NOT_FOUND", status: 404, title: "Not found" },
  method_not_allowed: { trpc: "METHOD_NOT_SUPPORTED", status: 405, title: "Method not allowed" },
  conflict: { trpc: "CONFLICT", status: 409, title: "Conflicts with the current state" },
  too_large: { trpc: "PAYLOAD_TOO_LARGE", status: 413, title: "Body too large" },
  unsupported_media: { trpc: "UNSUPPORTED_MEDIA_TYPE", status: 415, title: "Unsupported media type" },
  rejected: { trpc: "UNPROCESSABLE_CONTENT", status: 422, title: "Against a rule" },
  rate_limited: { trpc: "TOO_MANY_REQUESTS", status: 429, title: "Too many requests" },
  unavailable: { trpc: "SERVICE_UNAVAILABLE", status: 503, title: "Not ready" },
  source_unreachable: { trpc: "BAD_GATEWAY", status: 502, title: "Data source did not answer" },
  source_timeout: { trpc: "GATEWAY_TIMEOUT", status: 504, title: "Data source took too long" },
} as const satisfies Record<string, { trpc: TRPCError["code"]; status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** A problem with one value: `path` as in the body, `rules.0.configuration.column`. */
export type FieldError = { path: string; message: string };

export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  /** Shown to the caller as `detail`: the specification's messages verbatim; no secrets, SQL, or hosts. */
  readonly detail: string;
  readonly more: {
    errors?: FieldError[];
    headers?: Record<string, string>;
    /** Additional machine-readable members, which REST returns in the problem document. */
    members?: Record<string, unknown>;
  };

  constructor(code: ProblemCode, detail: string, more: Problem["more"] = {}) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.more = more;
  }
}

/** An input that breaks a rule, by the paths of its values: as if its schema had refused it. */
export const invalidRequest = (errors: FieldError[]): Problem =>
  new Problem("invalid", "The request is not valid", { errors });

/** The `Problem` in a thrown error, or null for a bug. */
export function problemIn(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.cause) return problemIn(error.cause);
  return null;
}

/** What PostgreSQL says of a failed statement on the service's own database. */
const failureOf = (error: unknown) =>
  (error instanceof Error && error.cause ? error.cause : error) as
    | { code?: string; constraint_name?: string }
    | undefined;

/** PostgreSQL's code for why a statement failed; undefined for any other error. */
export const failureCode = (error: unknown): string | undefined => failureOf(error)?.code;

/**
 * The name of the violated constraint, empty if PostgreSQL gives none; null for any other error. PostgreSQL's codes for
 * violations begin with 23: 23505 (unique), 23503 (foreign key).
 */
export const violatedConstraint = (error: unknown): string | null =>
  failureCode(error)?.startsWith("23") ? (failureOf(error)?.constraint_name ?? "") : null;

/**
 * Why the service can't start: one line for the operator that says what is wrong and how to fix it.
 * `main.ts` prints it and exits; anything else that is thrown while starting is a bug.
 */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** The first line of an error's innermost cause: wrappers repeat the query, and the cause says what went wrong. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message.split("\n")[0] || error.name;
}
