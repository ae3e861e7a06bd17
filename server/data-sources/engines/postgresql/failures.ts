import { SourceError, type SqlPlace, type Statement } from "../engine.ts";
import { brokenConnection, fieldsOf, firstLine, placeOf } from "../failures.ts";

/** Login errors by SQLSTATE. */
const refusedLogins: Record<string, string> = {
  "28P01": "The user or password is wrong",
  "28000": "The server does not accept this login from this host; it may require SSL or another user",
  "3D000": "The database does not exist",
  "42501": "The user is not allowed to connect to this database",
  "53300": "The server has too many connections",
  "57P03": "The server is starting up or shutting down",
};

/** Connection losses with a reason, by SQLSTATE. */
const lostConnections: Record<string, string> = {
  "57P01": "The server closed the connection: an administrator ended it, or the server shut down",
  "57P02": "The server closed the connection: another of its processes crashed",
  "57P05": "The server closed the connection: it was idle for too long",
};

/** Whether the error came from the server, so that the connection is still usable. */
export function isServerError(error: unknown): boolean {
  const { name, severity } = fieldsOf(error);
  return name === "PostgresError" && severity !== "FATAL" && severity !== "PANIC";
}

export function sqlStateOf(error: unknown): string | null {
  const { name, code } = fieldsOf(error);
  return name === "PostgresError" && typeof code === "string" ? code : null;
}

/** Why signing in failed. */
export function loginFailure(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const state = sqlStateOf(error);
  if (state === null)
    return brokenConnection(error, "The host could not be reached, or it is not PostgreSQL");
  return new SourceError("unreachable", refusedLogins[state] ?? `The server rejected the login (${state})`);
}

/** Why a statement failed. Keeps the server's own first line, which names the column or position. */
export function statementFailure(error: unknown, statement?: Statement): SourceError {
  if (error instanceof SourceError) return error;
  const state = sqlStateOf(error);
  if (state === null) return brokenConnection(error, "The connection was lost");
  if (!isServerError(error))
    return new SourceError("unreachable", lostConnections[state] ?? "The server closed the connection");
  if (state === "42601" && String(fieldsOf(error).message).includes("multiple commands"))
    return new SourceError("refused", "Only one statement is allowed");
  return new SourceError("statement", firstLine(fieldsOf(error).message), {
    sentPlace: statement ? placeIn(error, statement) : null,
  });
}

/** The server counts characters from 1, in the text that it received: the driver keeps that, and it may begin before ours. */
function placeIn(error: unknown, { sql }: Statement): SqlPlace | null {
  const { position, query } = fieldsOf(error) as { position?: unknown; query?: unknown };
  const received = typeof query === "string" ? query : sql;
  const counted = Number(position);
  if (position === undefined || !Number.isInteger(counted) || !received.endsWith(sql)) return null;
  const units = Array.from(received)
    .slice(0, counted - 1)
    .join("").length;
  const offset = units - (received.length - sql.length);
  return offset < 0 ? null : placeOf(sql, offset);
}
