import { SourceError, type SqlPlace } from "./engine.ts";

const untrusted = "The server's certificate is not trusted";

/** Messages for error codes of the network, TLS, or driver. None of them repeats the host. */
const brokenConnections: Record<string, string> = {
  ENOTFOUND: "Unknown host name",
  EAI_AGAIN: "The host name cannot be resolved at the moment",
  ECONNREFUSED: "Connection refused: nothing is listening on this host and port",
  ETIMEDOUT: "The host did not respond",
  ECONNRESET: "The connection was lost: the server or the network closed it",
  EPIPE: "The connection was lost: the server or the network closed it",
  PROTOCOL_CONNECTION_LOST: "The connection was lost: the server or the network closed it",
  CONNECTION_CLOSED: "The connection was lost: the server or the network closed it",
  CONNECTION_DESTROYED: "The connection was lost: the server or the network closed it",
  CONNECT_TIMEOUT: "The server did not finish the login in time",
  EHOSTUNREACH: "No route to the host",
  ENETUNREACH: "No route to the host",
  DEPTH_ZERO_SELF_SIGNED_CERT: `${untrusted}: it is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: `${untrusted}: its issuer is self-signed`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${untrusted}: its issuer is not known`,
  UNABLE_TO_GET_ISSUER_CERT: `${untrusted}: its issuer is not known`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${untrusted}: its issuer is not known`,
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name",
  SASL_SIGNATURE_MISMATCH: "The server does not know the password that it asked for",
};

/** The same failure, or that the certificate was not issued by the CA that the data source names. */
export function namingCa(failure: SourceError, { caCertificate }: { caCertificate?: string | undefined }) {
  if (!caCertificate || !failure.message.startsWith(untrusted)) return failure;
  return new SourceError(
    "unreachable",
    `${untrusted}: the CA certificate of this data source did not issue it`,
  );
}

type Fields = { name?: unknown; code?: unknown; errno?: unknown; severity?: unknown; message?: unknown };

export const fieldsOf = (error: unknown): Fields =>
  typeof error === "object" && error !== null ? error : {};

/** Why a connection failed or broke, if the server gave no reason. */
export function brokenConnection(error: unknown, otherwise: string): SourceError {
  const { code } = fieldsOf(error);
  const known = typeof code === "string" ? brokenConnections[code] : undefined;
  const isTls = typeof code === "string" && /^(EPROTO|ERR_SSL|ERR_TLS)/.test(code);
  return new SourceError("unreachable", known ?? (isTls ? "TLS negotiation failed" : otherwise));
}

/** The place of an offset in a text, in UTF-16 units from 0. */
export function placeOf(sql: string, offset: number): SqlPlace {
  const before = sql.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The offset of a place; that of its line if it has no column. */
export function offsetOf(sql: string, { line, column }: SqlPlace): number {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = sql.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(sql.length, start + (column ?? 1) - 1);
}

/** A server's message, shortened to fit a sentence. */
export function firstLine(message: unknown): string {
  const line = String(message ?? "").split(/[\r\n]/, 1)[0] ?? "";
  return line.length > 500 ? `${line.slice(0, 500)}…` : line || "The server rejected the statement";
}
