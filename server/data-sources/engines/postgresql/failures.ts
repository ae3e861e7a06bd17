import { SourceError } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine } from "../failures.ts";

/** What the server says instead of letting somebody in, by SQLSTATE. */
const refusedLogins: Record<string, string> = {
  "28P01": "The user or the password is wrong",
  "28000": "The server does not accept this login from here; it may ask for SSL, or for another user",
  "3D000": "The database does not exist",
  "42501": "The user may not connect to this database",
  "53300": "The server has no connection free",
  "57P03": "The server is starting up or shutting down",
};

/** A loss that says why, by SQLSTATE. */
const lostConnections: Record<string, string> = {
  "57P01": "The server ended the connection: an administrator did, or it shut down",
  "57P02": "The server ended the connection: another process of it crashed",
  "57P05": "The server ended the connection: it was idle for too long",
};

/** Whether the server itself said it, so that the connection still understands what it is told. */
export function isServersWord(error: unknown): boolean {
  const { name, severity } = fieldsOf(error);
  return name === "PostgresError" && severity !== "FATAL" && severity !== "PANIC";
}

/** Whether a gate said it: the connection has nothing to do with it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof SourceError && error.kind === "refused";
}

export function sqlStateOf(error: unknown): string | null {
  const { name, code } = fieldsOf(error);
  return name === "PostgresError" && typeof code === "string" ? code : null;
}

/** Why nobody could sign in. */
export function loginFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const state = sqlStateOf(error);
  if (state === null) return brokenConnection(error, "The host could not be reached, or it is no PostgreSQL");
  return new SourceError("unreachable", refusedLogins[state] ?? `The server refused the login (${state})`);
}

/** Why a statement has no result. The server's own first line stays: it names the column or the place. */
export function statementFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const state = sqlStateOf(error);
  if (state === null) return brokenConnection(error, "The connection broke");
  if (!isServersWord(error))
    return new SourceError("unreachable", lostConnections[state] ?? "The server ended the connection");
  if (state === "42601" && String(fieldsOf(error).message).includes("multiple commands"))
    return new SourceError("refused", "Only one statement is allowed");
  return new SourceError("statement", firstLine(fieldsOf(error).message));
}
