import { type Limits, SourceError, type SqlPlace } from "../engine.ts";
import { firstLine } from "../failures.ts";

/**
 * What the server refuses, by the codes and statuses of its documentation (SQL API reference, "Handling errors", and the
 * codes of key pair and OAuth errors).
 */
const logins: Record<string, string> = {
  "390144":
    "The login failed: the token of the key pair is invalid. Check the account, the user, and that its RSA_PUBLIC_KEY belongs to this private key",
  "390100": "The login failed: the user is unknown, or the key or token is not its own",
  "390101": "The login failed: the user is locked or disabled",
  "390114": "The authentication token has expired",
  "390303": "The login failed: the OAuth access token is invalid",
  "390318": "The OAuth access token has expired: enter a new one, or refer to where it is renewed",
  "390186": "The role does not exist, or the user does not have it",
  "390189": "The role does not exist, or the user does not have it",
  "390201": "The database, schema, or warehouse does not exist, or the role may not use it",
  "390422": "The network policy of this account does not let this service in",
  "000606": "No warehouse is selected: name one on the data source, that the role may use",
};
const timeouts = new Set(["000630", "000604"]);

type Answer = { status: number; body: Record<string, unknown> };

/** The server cannot answer at the moment. */
export const isBusy = (status: number) => status === 429 || status === 503 || status === 504;

export function failureOf({ status, body }: Answer, { timeoutMs }: Limits): SourceError {
  const code = typeof body.code === "string" ? body.code : "";
  const message = typeof body.message === "string" ? body.message : "";
  const login = logins[code];
  if (login !== undefined) return new SourceError("unreachable", login);
  // 000604 is also what someone else's cancellation says.
  if (code === "000604") return new SourceError("statement", "The statement was cancelled on the server");
  if (timeouts.has(code) || status === 408)
    return new SourceError(
      "timeout",
      `The statement took longer than ${timeoutMs / 1000} s and was cancelled`,
    );
  if (status === 401)
    return new SourceError("unreachable", "The login failed: Snowflake did not accept the key or token");
  if (status === 403)
    return new SourceError(
      "unreachable",
      code === ""
        ? "There is no such account, or it does not let this service in (HTTP 403)"
        : firstLine(message),
    );
  if (status === 404 && code === "")
    return new SourceError("unreachable", "There is no such account: check the account identifier");
  if (isBusy(status))
    return new SourceError("unreachable", `Snowflake is busy at the moment (HTTP ${status})`);
  if (code === "" || status >= 500)
    return new SourceError("unreachable", `The server did not respond as Snowflake does (HTTP ${status})`);
  return new SourceError("statement", sentenceOf(message), { sentPlace: placeIn(message) });
}

/**
 * "SQL compilation error:\nObject 'X' does not exist or not authorized." and "SQL compilation error: error line 1 at
 * position 7\ninvalid identifier 'X'": what comes after the kind of error is what is wrong.
 */
function sentenceOf(message: string): string {
  const rest = message.replace(
    /^SQL (compilation|execution) error:\s*(error line \d+ at position \d+\s*)?/i,
    "",
  );
  return firstLine(
    rest.trim() === ""
      ? message
      : rest.replace(/^syntax error line \d+ at position \d+ /i, "syntax error, ").trim(),
  );
}

/** The server counts columns from 0. */
function placeIn(message: string): SqlPlace | null {
  const [, line, column] = /error line (\d+) at position (-?\d+)/i.exec(message) ?? [];
  if (line === undefined || Number(line) < 1 || Number(column) < 0) return null;
  return { line: Number(line), column: Number(column) + 1 };
}
