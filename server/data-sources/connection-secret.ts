import { Problem } from "../errors.ts";
import type { GivenConnection, PublicConnection } from "./connections/connection.ts";
import type { ConnectionFacts } from "./dialects/dialect.ts";
import type { OpenConnection, S3ConnectionWithSecret, SnowflakeSecrets } from "./engines/engine.ts";
import { isBigQuery, isFolder, isHttps, isRest, isS3, isServer, isSnowflake } from "./kinds.ts";
import {
  hasOtherServer,
  isOtherAuthority,
  isOtherKey,
  isOtherLogin,
  reasonToRequirePassword,
} from "./password-rule.ts";

type S3Secrets = Pick<S3ConnectionWithSecret, "secretAccessKey" | "sessionToken">;

/** The part of a connection that may be shown, and its encrypted secret: undefined if omitted, "" for none. */
export type SplitConnection = { connection: PublicConnection; secret: string | undefined };

/**
 * A password and a secret access key are their own text, a session token a second line; secret headers are written as
 * JSON. Omitted settings take the engine's defaults from `facts`, which is null for what is not behind a server. A folder of
 * files has no secret.
 */
export function splitSecret(given: GivenConnection, facts: ConnectionFacts | null): SplitConnection {
  if (isFolder(given)) return { connection: given, secret: undefined };
  if (isS3(given)) {
    const { secretAccessKey, sessionToken, ...connection } = given;
    // Without an access key ID there is nothing to keep.
    if (connection.accessKeyId === undefined) return { connection, secret: "" };
    return { connection, secret: secretAccessKey && s3SecretText({ secretAccessKey, sessionToken }) };
  }
  if (isSnowflake(given)) {
    const { privateKey, passphrase, token, ...connection } = given;
    const isGiven = privateKey !== undefined || token !== undefined;
    return { connection, secret: isGiven ? secretsText({ privateKey, passphrase, token }) : undefined };
  }
  if (isBigQuery(given)) {
    const { serviceAccountKey, ...connection } = given;
    return { connection, secret: serviceAccountKey };
  }
  if (isRest(given) || isHttps(given)) {
    const { secretHeaders, ...connection } = given;
    return { connection, secret: secretHeaders && textOf(secretHeaders) };
  }
  const { password, ssl = facts?.encryptsByDefault || Boolean(given.caCertificate), ...connection } = given;
  // A managed identity has no password, so none is kept.
  const secret = connection.sqlServer?.managedIdentity ? "" : password;
  return { connection: { ...connection, ssl, ...facts?.serverNamed(connection.host) }, secret };
}

export function withSecret(connection: PublicConnection, secret: string): OpenConnection {
  if (isFolder(connection)) return connection;
  if (isS3(connection)) {
    const [secretAccessKey = "", sessionToken] = secret.split("\n");
    return { ...connection, secretAccessKey, ...(sessionToken && { sessionToken }) };
  }
  if (isBigQuery(connection)) return { ...connection, serviceAccountKey: secret };
  if (isServer(connection)) return { ...connection, password: secret };
  if (isSnowflake(connection)) return { ...connection, secrets: secret === "" ? {} : JSON.parse(secret) };
  return { ...connection, secretHeaders: secret === "" ? {} : JSON.parse(secret) };
}

export function secretText(open: OpenConnection): string {
  if (isFolder(open)) return "";
  if (isS3(open)) return s3SecretText(open);
  if (isSnowflake(open)) return secretsText(open.secrets);
  if (isBigQuery(open)) return open.serviceAccountKey;
  return isServer(open) ? open.password : textOf(open.secretHeaders);
}

/** The same connection with each part of its secret replaced: all of it, or the value of each secret header. */
export async function withSecretParts(
  open: OpenConnection,
  replaced: (part: string) => Promise<string>,
): Promise<OpenConnection> {
  if (isFolder(open)) return open;
  if (isS3(open)) {
    const { secretAccessKey, sessionToken } = open;
    const parts = await withParts({ secretAccessKey, ...(sessionToken && { sessionToken }) }, replaced);
    return { ...open, ...parts };
  }
  if (isBigQuery(open)) return { ...open, serviceAccountKey: await replaced(open.serviceAccountKey) };
  if (isServer(open)) return { ...open, password: await replaced(open.password) };
  if (isSnowflake(open)) return { ...open, secrets: await withParts(open.secrets, replaced) };
  return { ...open, secretHeaders: await withParts(open.secretHeaders, replaced) };
}

async function withParts<Parts extends Readonly<Record<string, string>>>(
  parts: Parts,
  replaced: (part: string) => Promise<string>,
): Promise<Parts> {
  const all = Object.entries(parts).map(async ([name, value]) => [name, await replaced(value)]);
  return Object.fromEntries(await Promise.all(all));
}

/** The parts of a secret as they were entered, and the field that they belong to. */
export function givenSecret(given: GivenConnection): { field: string; parts: string[] } {
  if (isFolder(given)) return { field: "connection", parts: [] };
  if (isS3(given))
    return {
      field: "connection.secretAccessKey",
      parts: [given.secretAccessKey ?? "", given.sessionToken ?? ""],
    };
  if (isBigQuery(given))
    return { field: "connection.serviceAccountKey", parts: [given.serviceAccountKey ?? ""] };
  if (isServer(given)) return { field: "connection.password", parts: [given.password ?? ""] };
  if (isSnowflake(given)) {
    const { authentication, privateKey = "", passphrase = "", token = "" } = given;
    return authentication === "OAuth"
      ? { field: "connection.token", parts: [token] }
      : { field: "connection.privateKey", parts: [privateKey, passphrase] };
  }
  return { field: "connection.secretHeaders", parts: Object.values(given.secretHeaders ?? {}) };
}

/** A line each; neither has a line break. */
const s3SecretText = ({ secretAccessKey, sessionToken }: S3Secrets): string =>
  sessionToken ? `${secretAccessKey}\n${sessionToken}` : secretAccessKey;

const textOf = (headers: Record<string, string>) =>
  Object.keys(headers).length === 0 ? "" : JSON.stringify(headers);

/** Those that there are, as JSON; empty for none. */
function secretsText(secrets: Partial<Record<keyof SnowflakeSecrets, string | undefined>>): string {
  const given = Object.entries(secrets).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : JSON.stringify(Object.fromEntries(given));
}

/** A data source cannot change its kind, and files not the kind of place that they are in. Throws invalid. */
export function rejectOtherKind(stored: PublicConnection, now: PublicConnection): void {
  if (
    [isRest, isFolder, isS3, isHttps, isSnowflake, isBigQuery].some(
      (isKind) => isKind(stored) !== isKind(now),
    )
  )
    throw invalid("connection", "must match the kind of data source");
}

/** A stored secret is only sent to the target it was given for. Throws invalid if it must be entered again. */
export function rejectOtherReceiver(stored: OpenConnection, now: PublicConnection): void {
  if (isServer(stored) && isServer(now)) {
    const why = reasonToRequirePassword(stored, now);
    if (why !== null) throw invalid("connection.password", `is required when ${why}`);
  }
  // Nothing to protect if no secret is stored.
  if (secretText(stored) === "") return;
  if (isSnowflake(stored) && isSnowflake(now)) {
    if (isOtherLogin(stored, now))
      throw invalid(
        now.authentication === "OAuth" ? "connection.token" : "connection.privateKey",
        "is required when the account, the user, or the way of signing in changes",
      );
    return;
  }
  if (isS3(stored) && isS3(now)) {
    if (now.accessKeyId !== undefined && isOtherKey(stored, now))
      throw invalid(
        "connection.secretAccessKey",
        "is required when the endpoint or the access key ID changes",
      );
  } else if (isBigQuery(stored) && isBigQuery(now)) {
    if (stored.endpoint !== now.endpoint)
      throw invalid("connection.serviceAccountKey", "is required when the endpoint changes");
  } else if (isHttps(stored) && isHttps(now)) {
    if (hasOtherServer(stored.addresses, now.addresses))
      throw invalid("connection.secretHeaders", "is required when there is an address on another server");
    rejectOtherCa(stored, now);
  } else if (isRest(stored) && isRest(now)) {
    if (stored.baseUrl !== now.baseUrl)
      throw invalid("connection.secretHeaders", "is required when the base URL changes");
    rejectOtherCa(stored, now);
  }
}

type WithCa = { caCertificate?: string | undefined };

function rejectOtherCa(stored: WithCa, now: WithCa): void {
  if (isOtherAuthority(stored.caCertificate, now.caCertificate))
    throw invalid("connection.secretHeaders", "is required when the CA certificate changes");
}

const invalid = (path: string, message: string) =>
  new Problem("invalid", `${path} ${message}`, { errors: [{ path, message }] });
