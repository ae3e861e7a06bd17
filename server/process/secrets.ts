import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Settings } from "../env.ts";
import { CannotStart } from "../errors.ts";

const secretsFile = z.object({
  /** Encrypts stored credentials. */
  encryptionKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Signs session cookies. */
  nextAuthSecret: z.string().min(32),
  /** The password of the embedded PostgreSQL's superuser. */
  databasePassword: z.string().min(16),
});

/** Contains what a restore is about to put in place; only exists during a restore. */
export const restoredFolder = "restored";

export type Secrets = z.infer<typeof secretsFile>;

/**
 * The secrets of an installation with the embedded database, generated on first start and stored in `secrets.json`,
 * readable only by its owner. Throws CannotStart if they are lost or damaged.
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
      `${file} is missing, and its secrets cannot be decrypted without it: restore the file, or set DATA_DIR to a new folder`,
    );
  const secrets: Secrets = {
    encryptionKey: randomBytes(32).toString("hex"),
    nextAuthSecret: randomBytes(32).toString("base64url"),
    databasePassword: randomBytes(24).toString("base64url"),
  };
  writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Throws CannotStart if the file is missing or damaged. */
export function readSecrets(file: string): Secrets {
  try {
    return secretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new CannotStart(`${file} cannot be read: restore it, or set DATA_DIR to a new folder`);
  }
}

/** Written atomically, even if the machine crashes. */
function writePrivately(file: string, text: string): void {
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(unfinished, file);
}

/**
 * With an external database nothing is stored on this machine, so the secrets come from settings. Throws CannotStart.
 */
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
