import { SourceError } from "./engine.ts";

/** What the network, TLS or the driver says, by its code. None of it repeats the host. */
const brokenConnections: Record<string, string> = {
  ENOTFOUND: "The host name is not known",
  EAI_AGAIN: "The host name cannot be looked up at the moment",
  ECONNREFUSED: "Nothing answers on this host and port: the connection was refused",
  ETIMEDOUT: "The host did not answer",
  ECONNRESET: "The connection broke: the server or the network ended it",
  EPIPE: "The connection broke: the server or the network ended it",
  PROTOCOL_CONNECTION_LOST: "The connection broke: the server or the network ended it",
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

type Fields = { name?: unknown; code?: unknown; errno?: unknown; severity?: unknown; message?: unknown };

export const fieldsOf = (error: unknown): Fields =>
  typeof error === "object" && error !== null ? error : {};

/** Why there is no connection (any more), when no server has said it. */
export function brokenConnection(error: unknown, otherwise: string): SourceError {
  const { code } = fieldsOf(error);
  const known = typeof code === "string" ? brokenConnections[code] : undefined;
  const isTls = typeof code === "string" && /^(EPROTO|ERR_SSL|ERR_TLS)/.test(code);
  return new SourceError("unreachable", known ?? (isTls ? "TLS could not be agreed on" : otherwise));
}

/** As much of what a server says as fits into a sentence. */
export function firstLine(message: unknown): string {
  const line = String(message ?? "").split(/[\r\n]/, 1)[0] ?? "";
  return line.length > 500 ? `${line.slice(0, 500)}…` : line || "The server refused the statement";
}
