import { SourceError } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine } from "../failures.ts";

/** What the server says instead of letting somebody in, by its number. */
const refusedLogins: Record<number, string> = {
  1040: "The server has no connection free",
  1044: "The user may not use this database",
  1045: "The user or the password is wrong",
  1049: "The database does not exist",
  1053: "The server is shutting down",
  1129: "The server refuses connections from here after too many that failed",
  1130: "The server does not accept logins from here",
  1203: "The user has no connection free",
  1226: "The user has used up what the server lets it do",
  1251: "The server asks for a kind of login that is not supported",
  1698: "The user or the password is wrong, or the server accepts this user by its socket only",
  1820: "The user's password has to be changed first",
  1862: "The user's password has expired",
  3118: "The user is locked",
  3159: "The server accepts encrypted connections only: switch SSL on",
  4151: "The user is locked",
};

/** A loss that says why, by its number. */
const lostConnections: Record<number, string> = {
  1053: "The server ended the connection: it shut down",
  1927: "The server ended the connection: an administrator did",
  4031: "The server ended the connection: it was idle for too long",
};

/** "Time is up", by the server itself: MariaDB's number, and MySQL's. */
const timeIsUp = new Set([1969, 3024]);
/** A statement that somebody ended: KILL QUERY, and what a sort makes of it. */
const interrupted = new Set([1317, 1028]);

/** The number by which the server knows its error; null for what the network or the driver says. */
export function errorNumberOf(error: unknown): number | null {
  const { errno } = fieldsOf(error);
  return typeof errno === "number" && errno >= 1000 ? errno : null;
}

/** Whether the server itself said it and goes on, so that the connection still understands what it is told. */
export function isServersWord(error: unknown): boolean {
  const number = errorNumberOf(error);
  return number !== null && !(number in lostConnections);
}

export const isTimeout = (error: unknown) => timeIsUp.has(errorNumberOf(error) ?? 0);
export const isInterruption = (error: unknown) => interrupted.has(errorNumberOf(error) ?? 0);

/** Why nobody could sign in. */
export function loginFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number !== null)
    return new SourceError(
      "unreachable",
      refusedLogins[number] ?? `The server refused the login (${number})`,
    );
  const { code } = fieldsOf(error);
  if (code === "HANDSHAKE_NO_SSL_SUPPORT")
    return new SourceError(
      "unreachable",
      "The server does not offer TLS: switch SSL off, or on at the server",
    );
  if (code === "AUTH_SWITCH_PLUGIN_ERROR" || String(code).startsWith("AUTH_"))
    return new SourceError("unreachable", "The server asks for a kind of login that is not supported");
  return brokenConnection(error, "The host could not be reached, or it is no MySQL");
}

/** Why a statement has no result. The server's own first line stays: it names the column or the place. */
export function statementFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const number = errorNumberOf(error);
  if (number === null) return brokenConnection(error, "The connection broke");
  if (!isServersWord(error))
    return new SourceError("unreachable", lostConnections[number] ?? "The server ended the connection");
  return new SourceError("statement", withoutLogin(firstLine(fieldsOf(error).message)));
}

/** `… denied to user 'ada'@'10.0.0.7' for …`: who is signed in, and from where, is nobody's business. */
function withoutLogin(message: string): string {
  return message.replace(/(user )?'[^']*'@'[^']*'/g, "this login");
}
