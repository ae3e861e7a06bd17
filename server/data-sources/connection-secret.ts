import { Problem } from "../errors.ts";
import type { ConnectionFacts } from "./dialects/dialect.ts";
import type { OpenConnection } from "./engines/engine.ts";
import { isOtherAuthority, reasonToRequirePassword } from "./password-rule.ts";
import { type GivenConnection, isFiles, isRest, isServer, type PublicConnection } from "./schema.ts";

/** The part of a connection that may be shown, and its encrypted secret: undefined if omitted, "" for none. */
export type SplitConnection = { connection: PublicConnection; secret: string | undefined };

/**
 * A password is its own text; secret headers are written as JSON. Omitted settings take the engine's defaults from
 * `facts`, which is null for what is not behind a server. A folder of files has no secret.
 */
export function splitSecret(given: GivenConnection, facts: ConnectionFacts | null): SplitConnection {
  if (isRest(given)) {
    const { secretHeaders, ...connection } = given;
    return { connection, secret: secretHeaders && textOf(secretHeaders) };
  }
  if (isFiles(given)) return { connection: given, secret: undefined };
  const { password, ssl = facts?.encryptsByDefault || Boolean(given.caCertificate), ...connection } = given;
  return { connection: { ...connection, ssl, ...facts?.serverNamed(connection.host) }, secret: password };
}

export function withSecret(connection: PublicConnection, secret: string): OpenConnection {
  if (isFiles(connection)) return connection;
  if (!isRest(connection)) return { ...connection, password: secret };
  return { ...connection, secretHeaders: secret === "" ? {} : JSON.parse(secret) };
}

export const secretText = (open: OpenConnection): string =>
  isFiles(open) ? "" : isRest(open) ? textOf(open.secretHeaders) : open.password;

/** The same connection with each part of its secret replaced: the password, or the value of each secret header. */
export async function withSecretParts(
  open: OpenConnection,
  replaced: (part: string) => Promise<string>,
): Promise<OpenConnection> {
  if (isFiles(open)) return open;
  if (!isRest(open)) return { ...open, password: await replaced(open.password) };
  const headers = Object.entries(open.secretHeaders).map(async ([name, value]) => [
    name,
    await replaced(value),
  ]);
  return { ...open, secretHeaders: Object.fromEntries(await Promise.all(headers)) };
}

const textOf = (headers: Record<string, string>) =>
  Object.keys(headers).length === 0 ? "" : JSON.stringify(headers);

/** A data source cannot change its kind. Throws invalid. */
export function rejectOtherKind(stored: PublicConnection, now: PublicConnection): void {
  if (isRest(stored) !== isRest(now) || isFiles(stored) !== isFiles(now))
    throw invalid("connection", "must match the kind of data source");
}

/** A stored secret is only sent to the target it was given for. Throws invalid if it must be entered again. */
export function rejectOtherReceiver(stored: OpenConnection, now: PublicConnection): void {
  if (isRest(stored) && isRest(now)) {
    // Nothing to protect if no secret is stored.
    if (secretText(stored) === "") return;
    if (stored.baseUrl !== now.baseUrl)
      throw invalid("connection.secretHeaders", "is required when the base URL changes");
    if (isOtherAuthority(stored.caCertificate, now.caCertificate))
      throw invalid("connection.secretHeaders", "is required when the CA certificate changes");
  } else if (isServer(stored) && isServer(now)) {
    const why = reasonToRequirePassword(stored, now);
    if (why !== null) throw invalid("connection.password", `is required when ${why}`);
  }
}

const invalid = (path: string, message: string) =>
  new Problem("invalid", `${path} ${message}`, { errors: [{ path, message }] });
