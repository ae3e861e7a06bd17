import { SourceError, type SqlPlace } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine } from "../failures.ts";

/** The server's error codes that are about the connection or the time, not the statement. */
const loginFailed = new Set(["193", "194", "516"]);
const unknownUser = "192";
const unknownDatabase = "81";
const readonlyMode = "164";
const stopped = new Set(["159", "160", "394"]);

const isServerError = (error: unknown) => /^\d+$/.test(String(fieldsOf(error).code ?? ""));

/** Whether the server ended a statement because of its time, or because it was asked to. */
export const isStop = (error: unknown) => stopped.has(String(fieldsOf(error).code));

/** An error of the client as callers see it. */
export function failureOf(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const { code, message } = fieldsOf(error);
  if (!isServerError(error)) return brokenConnection(error, strangerIn(String(message ?? "")));
  const number = String(code);
  if (loginFailed.has(number) || number === unknownUser)
    return unreachable("The login failed: user or password is wrong");
  if (number === unknownDatabase)
    return unreachable("The database does not exist, or the login may not see it");
  const text = String(message ?? "");
  if (number === readonlyMode && text.includes("Cannot modify"))
    return unreachable(
      "The login must not change settings: give it readonly = 2 instead of 1, so that limits can be set",
    );
  return new SourceError("statement", firstLine(withoutContext(text)), { sentPlace: placeIn(text) });
}

function strangerIn(message: string): string {
  if (/Port \d+ is for clickhouse-client/.test(message))
    return "This is the port of ClickHouse's native protocol: use the one for HTTP, usually 8123, or 8443 with TLS";
  if (/timeout/i.test(message)) return "The server did not respond in time";
  return "The server did not respond as ClickHouse does over HTTP";
}

/** Without the user, the text that the server repeats, the list of what it expected instead, and its version. */
const withoutContext = (message: string) =>
  message
    .replace(/^[^\s:]+: (?=Not enough privileges|Cannot execute)/, "")
    .replace(/:? ?\bin scope .*$/is, "")
    .replace(/\. Expected one of: .*$/s, "")
    .replace(/: While (executing|processing) .*$/s, "")
    .replace(/\(version .*\)$/s, "")
    .trim();

/** `(line 2, col 8)`, if the server tells it. */
function placeIn(message: string): SqlPlace | null {
  const [, line, column] = /\(line (\d+), col (\d+)\)/.exec(message) ?? [];
  if (line !== undefined) return { line: Number(line), column: Number(column) };
  return null;
}

const unreachable = (message: string) => new SourceError("unreachable", message);
