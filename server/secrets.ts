import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CannotStart } from "./cannot-start.ts";
import type { Settings } from "./env.ts";

const secretsFile = z.object({
  /** Encrypts stored credentials. */
  encryptionKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Signs session cookies. */
  nextAuthSecret: z.string().min(32),
  /** Of the embedded PostgreSQL's superuser. */
  databasePassword: z.string().min(16),
});

/** Holds what a restore is about to put in place; there only while it does. */
export const restoredFolder = "restored";

export type Secrets = z.infer<typeof secretsFile>;

/**
 * The secrets of an installation with the embedded database, made at its first start and kept in
 * `secrets.json`, which only its owner can read. Throws CannotStart when they are lost or damaged.
 */
export function keptSecrets(folder: string): Secrets {
  if (existsSync(join(folder, restoredFolder)))
    throw new CannotStart(
      `a restore into ${folder} was interrupted: run npm run restore again, with --replace`,
    );
  const file = join(folder, "secrets.json");
  if (existsSync(file)) return readSecrets(file);
  if (existsSync(join(folder, "postgres")))
    throw new CannotStart(
      `${file} is missing, and the database beside it cannot be opened without: restore it, or set DATA_DIR to a new folder`,
    );
  const secrets: Secrets = {
    encryptionKey: randomBytes(32).toString("hex"),
    nextAuthSecret: randomBytes(32).toString("base64url"),
    databasePassword: randomBytes(24).toString("base64url"),
  };
  writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Throws CannotStart when the file is not there, or damaged. */
export function readSecrets(file: string): Secrets {
  try {
    return secretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new CannotStart(`${file} cannot be read: restore it, or set DATA_DIR to a new folder`);
  }
}

/** Whole or not at all, even when the machine stops in between. */
function writePrivately(file: string, text: string): void {
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(unfinished, file);
}

/** With a database of one's own nothing is kept on this machine, so the secrets come as settings. Throws CannotStart. */
export function givenSecrets(settings: Settings): Pick<Secrets, "encryptionKey" | "nextAuthSecret"> {
  const { ENCRYPTION_KEY, NEXTAUTH_SECRET } = settings;
  if (!ENCRYPTION_KEY)
    throw new CannotStart("ENCRYPTION_KEY is required with DATABASE_URL (make one: openssl rand -hex 32)");
  if (!NEXTAUTH_SECRET)
    throw new CannotStart(
      "NEXTAUTH_SECRET is required with DATABASE_URL (make one: openssl rand -base64 32)",
    );
  return { encryptionKey: ENCRYPTION_KEY, nextAuthSecret: NEXTAUTH_SECRET };
}
