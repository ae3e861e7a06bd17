import { constants, type Stats } from "node:fs";
import { open, readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { env, secretFiles } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { givenSecret, secretText, withSecretParts } from "../connection-secret.ts";
import type { GivenConnection } from "../connections/connection.ts";
import { headerValue } from "../connections/parts.ts";
import { type OpenConnection, SourceError } from "../engines/engine.ts";
import { allowedFolder, isWithin } from "../engines/files/allowed-folder.ts";
import { isHttps, isRest } from "../kinds.ts";
import {
  fill,
  foldersOf,
  hasReference,
  referencesIn,
  refusalOf,
  type SecretReference,
} from "../secret-reference.ts";

/**
 * Secrets that a data source's connection refers to, read from where they are kept: an environment variable, a file, or
 * Vault. They are read when connecting and remembered for half a minute. Failures name the reference, never a value.
 */

const freshForMs = 30_000;
const timeoutMs = 5_000;
const maxBytes = 64 * 1024;

const read = new Map<string, { value: Promise<string>; at: number }>();

export const refersToSecrets = (connection: OpenConnection): boolean => hasReference(secretText(connection));

/** Throws invalid, with the field, for references that are malformed or that no operator allowed for this project. */
export function rejectOtherReferences(given: GivenConnection, projectId: number | null): void {
  const { field, parts } = givenSecret(given);
  for (const part of parts) {
    const message = referenceProblem(part, projectId);
    if (message) throw new Problem("invalid", `${field} ${message}`, { errors: [{ path: field, message }] });
  }
}

function referenceProblem(text: string, projectId: number | null): string | null {
  try {
    return (
      referencesIn(text)
        .map((each) => refusalOf(each, env(), projectId))
        .find((why) => why !== null) ?? null
    );
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/**
 * The connection with its references replaced by the secrets. `fresh` reads them again, after the remembered ones were
 * not accepted. Throws SourceError, `unreachable`.
 */
export function withReadSecrets(
  connection: OpenConnection,
  projectId: number | null,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<OpenConnection> {
  return withSecretParts(connection, async (part) => {
    if (!hasReference(part)) return part;
    const why = referenceProblem(part, projectId);
    if (why) throw new SourceError("unreachable", why);
    const references = referencesIn(part);
    const values = new Map<string, string>();
    for (const reference of references)
      values.set(reference.written, await remembered(reference, projectId, fresh));
    const filled = fill(part, (written) => values.get(written) ?? "");
    // What was entered was checked; what is kept elsewhere may hold anything.
    const isUsable = isInHeader(connection) ? headerValue.safeParse(filled).success : !filled.includes("\0");
    if (isUsable) return filled;
    const places = references.map(({ written }) => written).join(", ");
    throw new SourceError("unreachable", `The secret ${places} ${cannotBe(connection)}`);
  });
}

const isInHeader = (connection: OpenConnection) => isRest(connection) || isHttps(connection);

const cannotBe = (connection: OpenConnection) =>
  isInHeader(connection)
    ? "cannot be sent in a header, which is one line of up to 4,000 Latin characters"
    : "cannot be a password: it contains a NUL character";

/** Has the next connection read its secrets again. */
export function forgetReadSecrets(connection: OpenConnection, projectId: number | null): void {
  for (const { written } of referencesIn(secretText(connection))) read.delete(`${projectId} ${written}`);
}

function remembered(reference: SecretReference, projectId: number | null, fresh: boolean): Promise<string> {
  const key = `${projectId} ${reference.written}`;
  const found = read.get(key);
  if (found && !fresh && Date.now() - found.at < freshForMs) return found.value;
  const value = secretAt(reference, projectId);
  read.set(key, { value, at: Date.now() });
  // A failure is not remembered: the next connection tries again.
  value.catch(() => read.delete(key));
  // Nor is a value kept in memory for longer than it is used.
  setTimeout(() => {
    if (read.get(key)?.value === value) read.delete(key);
  }, freshForMs).unref();
  return value;
}

async function secretAt(reference: SecretReference, projectId: number | null): Promise<string> {
  const value = await ({ env: fromVariable, file: fromFile, vault: fromVault } as const)[reference.kind](
    reference as never,
    projectId,
  );
  if (value === "") throw failure(reference, "is empty");
  return value;
}

const failure = ({ written }: SecretReference, why: string) =>
  new SourceError("unreachable", `The secret ${written} ${why}`);

type Of<Kind> = Extract<SecretReference, { kind: Kind }>;

async function fromVariable(reference: Of<"env">): Promise<string> {
  const value = process.env[reference.variable];
  if (value === undefined) throw failure(reference, "is not set");
  return value;
}

/** Without the line's end that editors add. */
async function fromFile(reference: Of<"file">, projectId: number | null): Promise<string> {
  const place = await allowedFolder(reference.path, foldersOf(env(), projectId));
  if (place === "refused")
    throw failure(reference, "is not allowed by SECRETS_FOLDERS: it leads out of them");
  if (place === "missing") throw failure(reference, "does not exist");
  try {
    return (await readSecretFile(place.real)).replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof RangeError) throw failure(reference, error.message);
    throw failure(reference, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A pipe or a device would block, a large file is no secret, and the service's own secrets are not for data sources. */
async function readSecretFile(path: string): Promise<string> {
  // The path is real: a link in its place was put there since.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new RangeError("is not a file");
    if (facts.size > maxBytes) throw new RangeError("is larger than 64 kB");
    if (await isOwn(path, facts)) throw new RangeError("is the service's own");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Whether the service keeps a secret of its own in this file, by whatever name, or stores its data there. */
async function isOwn(path: string, { dev, ino }: Stats): Promise<boolean> {
  const { DATA_DIR, SECRETS_VAULT_TOKEN_FILE, BACKUP_IDENTITY_FILE } = env();
  if (isWithin(await realpath(DATA_DIR).catch(() => resolve(DATA_DIR)), path)) return true;
  for (const own of [...secretFiles, SECRETS_VAULT_TOKEN_FILE, BACKUP_IDENTITY_FILE]) {
    const facts = own && (await stat(own).catch(() => null));
    if (facts && facts.dev === dev && facts.ino === ino) return true;
  }
  return false;
}

/** What KV version 2 responds with: the fields are in an inner `data`, which is null for a deleted version. */
const vaultAnswer = z.object({
  data: z.object({ data: z.record(z.string(), z.unknown()).nullable() }),
});

async function fromVault(reference: Of<"vault">): Promise<string> {
  const { SECRETS_VAULT_ADDRESS: address = "", SECRETS_VAULT_NAMESPACE: namespace } = env();
  const path = [reference.mount, "data", ...reference.path.split("/")].map(encodeURIComponent).join("/");
  const response = await fetch(`${address.replace(/\/+$/, "")}/v1/${path}`, {
    headers: {
      "x-vault-token": await vaultToken(reference),
      "x-vault-request": "true",
      ...(namespace && { "x-vault-namespace": namespace }),
    },
    // The token must not follow to another place.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw failure(reference, "cannot be read: Vault did not respond");
  });
  if (response.status === 404) throw failure(reference, "does not exist in Vault");
  if (response.status === 403)
    throw failure(reference, "cannot be read: Vault does not allow it with this token");
  if (!response.ok) throw failure(reference, `cannot be read: Vault responded with HTTP ${response.status}`);
  const answer = vaultAnswer.safeParse(await response.json().catch(() => null));
  if (!answer.success) throw failure(reference, "cannot be read: the mount is no KV version 2");
  const value = answer.data.data.data?.[reference.field];
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw failure(reference, value === undefined ? "has no such field in Vault" : "is no text in Vault");
}

async function vaultToken(reference: SecretReference): Promise<string> {
  const { SECRETS_VAULT_TOKEN: token, SECRETS_VAULT_TOKEN_FILE: file } = env();
  if (token) return token;
  const text = await readFile(file ?? "", "utf8").catch(() => "");
  if (!/^[\x21-\x7e]+\s*$/.test(text))
    throw failure(reference, "cannot be read: there is no token in SECRETS_VAULT_TOKEN_FILE");
  return text.trim();
}
