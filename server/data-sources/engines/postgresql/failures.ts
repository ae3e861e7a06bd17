import { SourceError } from "../engine.ts";

/** What the network, TLS or the driver says, by its code. None of it repeats the host. */
const brokenConnections: Record<string, string> = {
  ENOTFOUND: "The host name is not known",
  EAI_AGAIN: "The host name cannot be looked up at the moment",
  ECONNREFUSED: "Nothing answers on this host and port: the connection was refused",
  ETIMEDOUT: "The host did not answer",
  ECONNRESET: "The connection broke: the server or the network ended it",
  EPIPE: "The connection broke: the server or the network ended it",
  CONNECTION_CLOSED: "The connection broke: the server or the network ended it",
  CONNECTION_DESTROYED: "The connection broke: the server or the network ended it",
  CONNECT_TIMEOUT: "The server did not finish the login in time",
  EHOSTUNREACH: "There is no way to the host",
  ENETUNREACH: "There is no way to the host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is not trusted: it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The server's certificate is not trusted: its issuer is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The server's certificate is not trusted: its issuer is not known",
  UNABLE_TO_GET_ISSUER_CERT: "The server's certificate is not trusted: its issuer is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The server's certificate is not trusted: its issuer is not known",
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate belongs to another host name",
  SASL_SIGNATURE_MISMATCH: "The server does not know the password that it asked for",
};

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

type Fields = { name?: unknown; code?: unknown; severity?: unknown; message?: unknown };

const fieldsOf = (error: unknown): Fields => (typeof error === "object" && error !== null ? error : {});

/** Whether the server itself said it, so that the connection still understands what it is told. */
export function isServersWord(error: unknown): boolean {
  const { name, severity } = fieldsOf(error);
  return name === "PostgresError" && severity !== "FATAL" && severity !== "PANIC";
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

function brokenConnection(error: unknown, otherwise: string): SourceError {
  const { code } = fieldsOf(error);
  const known = typeof code === "string" ? brokenConnections[code] : undefined;
  const isTls = typeof code === "string" && /^(EPROTO|ERR_SSL|ERR_TLS)/.test(code);
  return new SourceError("unreachable", known ?? (isTls ? "TLS could not be agreed on" : otherwise));
}

function firstLine(message: unknown): string {
  const line = String(message ?? "").split(/[\r\n]/, 1)[0] ?? "";
  return line.length > 500 ? `${line.slice(0, 500)}…` : line || "The server refused the statement";
}
