import { isSourceError, type Limits, SourceError } from "../engine.ts";
import { firstLine } from "../failures.ts";
import type { Answered } from "./exchange.ts";
import type { Sent } from "./statement.ts";

/** What an answer says of a statement that failed. */
export type ServerError = {
  message?: unknown;
  errorName?: unknown;
  errorLocation?: { lineNumber?: unknown; columnNumber?: unknown };
};

/** The server itself is not able to answer. */
const unable: Record<string, string> = {
  SERVER_STARTING_UP: "The server is starting up",
  SERVER_SHUTTING_DOWN: "The server is shutting down",
  NO_NODES_AVAILABLE: "No worker of the cluster is available",
};
const cancelled = /^(USER_CANCELED|ADMINISTRATIVELY_(KILLED|PREEMPTED))$/;
const limitRefused = "The login must not set query_max_run_time";

export function failureOf(
  { message, errorName, errorLocation }: ServerError,
  sent: Sent,
  limits: Limits,
): SourceError {
  const name = typeof errorName === "string" ? errorName : "";
  const text = typeof message === "string" ? message : "";
  const known = unable[name];
  if (known !== undefined) return unreachable(known);
  if (name === "EXCEEDED_TIME_LIMIT")
    return new SourceError(
      "timeout",
      `The statement took longer than ${limits.timeoutMs / 1000} s and was cancelled`,
    );
  if (cancelled.test(name)) return new SourceError("statement", "The statement was cancelled on the server");
  if (name === "PERMISSION_DENIED" && /session property '?query_max_run_time/.test(text))
    return unreachable(limitRefused);
  const { lineNumber, columnNumber } = errorLocation ?? {};
  const isPlaced = typeof lineNumber === "number" && typeof columnNumber === "number";
  return new SourceError("statement", firstLine(sentenceOf(text)), {
    sentPlace: isPlaced ? sent.placeOf({ line: lineNumber, column: columnNumber }) : null,
  });
}

/** Whether a statement failed only because the login may not limit its time. */
export const isLimitRefused = (error: unknown) => isSourceError(error) && error.message === limitRefused;

/** `line 1:8: Column 'nope' cannot be resolved`, without its place and the list of what was expected instead. */
const sentenceOf = (message: string) =>
  message.replace(/^line \d+:\d+: /, "").replace(/\. Expecting: .*$/s, "");

/** Why there is no page in an answer. */
export function statusFailure({ status, body }: Answered): SourceError {
  const text = body.subarray(0, 2_000).toString();
  if (status === 401) return unreachable("The login failed: user or password is wrong");
  if (/^Error 403.*over HTTP is not enabled/.test(text))
    return unreachable("The server takes logins only over TLS: turn on TLS, and use its port");
  if (status === 403) return unreachable("The server refuses this user (HTTP 403)");
  if (status === 404 || status === 410)
    return unreachable(`The server does not know the statement (HTTP ${status})`);
  if (status >= 300 && status < 400)
    return unreachable(`The server redirects to another address, which is not followed (HTTP ${status})`);
  if (status === 429 || (status >= 502 && status <= 504))
    return unreachable(`The server is busy or not ready (HTTP ${status})`);
  return unreachable(`The server did not respond as Trino does (HTTP ${status})`);
}

const unreachable = (message: string) => new SourceError("unreachable", message);
