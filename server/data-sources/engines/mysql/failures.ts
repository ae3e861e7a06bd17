import { SourceError, type SqlPlace, type Statement } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine, offsetOf, placeOf } from "../failures.ts";

/** Login errors by server error number. */
const refusedLogins: Record<number, string> = {
  1040: "The server has too many connections",
  1044: "The user cannot access this database",
  1045: "The user or password is wrong",
  1049: "The database does not exist",
  1053: "The server is shutting down",
  1129: "The server blocks connections from this host after too many failures",
  1130: "The server does not accept logins from this host",
  1203: "The user has too many connections",
  1226: "The user has reached its resource limits on the server",
  1251: "The server requires an unsupported authentication method",
  1698: "The user or password is wrong, or the server accepts this user only over its socket",
  1820: "The user's password must be changed first",
  1862: "The user's password has expired",
  3118: "The user is locked",
  3159: "The server only accepts encrypted connections: turn on SSL",
  4151: "The user is locked",
};

/** Connection losses with a reason, by number. */
const lostConnections: Record<number, string> = {
  1053: "The server closed the connection: it shut down",
  1927: "The server closed the connection: an administrator ended it",
  4031: "The server closed the connection: it was idle for too long",
};

/** Timeout errors from the server: MariaDB's number, and MySQL's. */
const timeIsUp = new Set([1969, 3024]);
/** A cancelled statement: KILL QUERY, and its effect on a sort. */
const interrupted = new Set([1317, 1028]);

/** The server's error number; null for network or driver errors. */
export function errorNumberOf(error: unknown): number | null {
  const { errno } = fieldsOf(error);
  return typeof errno === "number" && errno >= 1000 ? errno : null;
}

/** Whether the error came from the server and the connection is still usable. */
export function isServerError(error: unknown): boolean {
  const number = errorNumberOf(error);
  return number !== null && !(number in lostConnections);
}

export const isTimeout = (error: unknown) => timeIsUp.has(errorNumberOf(error) ?? 0);
export const isInterruption = (error: unknown) => interrupted.has(errorNumberOf(error) ?? 0);

/** Why signing in failed. */
export function loginFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number !== null)
    return new SourceError(
      "unreachable",
      refusedLogins[number] ?? `The server rejected the login (${number})`,
    );
  const { code } = fieldsOf(error);
  if (code === "HANDSHAKE_NO_SSL_SUPPORT")
    return new SourceError(
      "unreachable",
      "The server does not offer TLS: turn off SSL here, or turn it on at the server",
    );
  if (code === "AUTH_SWITCH_PLUGIN_ERROR" || String(code).startsWith("AUTH_"))
    return new SourceError("unreachable", "The server requires an unsupported authentication method");
  return brokenConnection(error, "The host could not be reached, or it is not MySQL");
}

/** Why a statement failed. Keeps the server's own first line, which names the column or position. */
export function statementFailure(error: unknown, statement?: Statement): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number === null) return brokenConnection(error, "The connection was lost");
  if (!isServerError(error))
    return new SourceError("unreachable", lostConnections[number] ?? "The server closed the connection");
  return new SourceError("statement", withoutLogin(firstLine(fieldsOf(error).message)), {
    sentPlace: statement ? placeIn(number, String(fieldsOf(error).message), statement.sql) : null,
  });
}

/** An unknown column, table, or alias: the message has only its name. */
const unknownNames = new Set([1051, 1054, 1109, 1146]);

/** The first place of a name as a whole word, in any case; -1 without one. */
function placeOfWord(sql: string, name: string): number {
  const [text, wanted] = [sql.toLowerCase(), name.toLowerCase()];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + wanted.length] ?? " "}`;
    if (!/[\w$]/.test(around)) return at;
  }
  return -1;
}

/**
 * The line is at the end of a message about syntax, after the text that was not understood. Of an unknown name only the
 * name is told: it is the first place where the statement has it.
 */
function placeIn(number: number, message: string, sql: string): SqlPlace | null {
  if (unknownNames.has(number)) {
    const name = /'([^']+)'/.exec(message)?.[1]?.split(".").at(-1) ?? "";
    const found = name === "" ? -1 : placeOfWord(sql, name);
    return found < 0 ? null : placeOf(sql, found);
  }
  const [, near = "", written] = /near '([\s\S]*)' at line (\d+)\s*$/.exec(message) ?? [];
  if (written === undefined) return null;
  const line = Number(written);
  const start = offsetOf(sql, { line, column: 1 });
  const found = near === "" ? -1 : sql.indexOf(near, start);
  const isOnLine = found >= 0 && placeOf(sql, found).line === line;
  return isOnLine ? placeOf(sql, found) : { line, column: null };
}

/**
 * `… denied to user 'ada'@'10.0.0.7' for …`: do not reveal the user and their address.
 */
function withoutLogin(message: string): string {
  return message.replace(/(user )?'[^']*'@'[^']*'/g, "this login");
}
