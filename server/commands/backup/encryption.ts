import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ReadableStream as NodeStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import type { Settings } from "../../env.ts";
import { CannotStart } from "../../errors.ts";

/**
 * Encrypted backups, in the age format (https://age-encryption.org/v1), which the `age` program opens, too: for a
 * passphrase, or for recipients, whose private keys this machine need not have. Streamed in pieces that are
 * authenticated one by one.
 */
export type Lock = { encrypter: Encrypter; passphrase: string | null };

type Given = Pick<Settings, "BACKUP_PASSPHRASE" | "BACKUP_RECIPIENTS" | "BACKUP_IDENTITY_FILE">;

/** Node's streams and the browser's, whose types the library uses, are the same at run time. */
const streamOf = (parts: AsyncIterable<Uint8Array>) =>
  NodeStream.from(parts) as unknown as ReadableStream<Uint8Array>;
const partsOf = (stream: ReadableStream<Uint8Array>) => stream as unknown as AsyncIterable<Uint8Array>;

const firstLine = "age-encryption.org/v1\n";

/** How to encrypt a backup; null if it is not wanted. Throws CannotStart. */
export function lockOf({ BACKUP_PASSPHRASE: passphrase, BACKUP_RECIPIENTS: recipients }: Given): Lock | null {
  if (!passphrase && !recipients) return null;
  const encrypter = new Encrypter();
  if (passphrase) encrypter.setPassphrase(passphrase);
  for (const recipient of recipients ?? []) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new CannotStart(`BACKUP_RECIPIENTS: ${recipient} is not a recipient of age`);
    }
  }
  return { encrypter, passphrase: passphrase ?? null };
}

export async function* encrypted(
  plain: AsyncIterable<Uint8Array>,
  { encrypter }: Lock,
): AsyncGenerator<Uint8Array> {
  yield* partsOf(await encrypter.encrypt(streamOf(plain)));
}

/** What opens encrypted backups. */
export type Keys = { passphrase?: string | undefined; identities: string[] };

/** Throws CannotStart for a file that cannot be read or holds no identity. */
export function keysOf({ BACKUP_PASSPHRASE: passphrase, BACKUP_IDENTITY_FILE: file }: Given): Keys {
  if (!file) return { passphrase, identities: [] };
  let lines: string[];
  try {
    lines = readFileSync(file, "utf8").split(/\r?\n/);
  } catch (error) {
    throw new CannotStart(
      `BACKUP_IDENTITY_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const identities = lines.filter((line) => /^AGE-SECRET-KEY-/.test(line.trim())).map((line) => line.trim());
  if (identities.length === 0)
    throw new CannotStart("BACKUP_IDENTITY_FILE: the file contains no identity of age (AGE-SECRET-KEY-…)");
  return { passphrase, identities };
}

/** The content of a file, decrypted if it is encrypted. Throws CannotStart without the right key. */
export async function* decrypted(file: string, keys: Keys): AsyncGenerator<Uint8Array> {
  const parts = createReadStream(file);
  const source = parts[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value: start = Buffer.alloc(0) } = await source.next();
  const head = start.subarray(0, 200).toString("latin1");
  async function* whole() {
    yield start as Uint8Array;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  if (!head.startsWith(firstLine)) yield* whole();
  else yield* partsOf(await opened(streamOf(whole()), { file, keys, head }));
}

async function opened(
  sealed: ReadableStream<Uint8Array>,
  { file, keys, head }: { file: string; keys: Keys; head: string },
): Promise<ReadableStream<Uint8Array>> {
  const isForPassphrase = head.startsWith("-> scrypt ", firstLine.length);
  const decrypter = new Decrypter();
  if (isForPassphrase) {
    if (!keys.passphrase) throw new CannotStart(`${file} is encrypted: set BACKUP_PASSPHRASE`);
    decrypter.addPassphrase(keys.passphrase);
  } else {
    if (keys.identities.length === 0)
      throw new CannotStart(`${file} is encrypted for recipients: set BACKUP_IDENTITY_FILE`);
    for (const identity of keys.identities) addIdentity(decrypter, identity);
  }
  try {
    return await decrypter.decrypt(sealed);
  } catch (error) {
    // The library tells a key that does not fit from a damaged header by this message alone.
    if (!/no identity matched/.test((error as Error).message)) throw error;
    throw new CannotStart(
      isForPassphrase
        ? `${file} was encrypted with another passphrase than BACKUP_PASSPHRASE`
        : `${file} was encrypted for others than BACKUP_IDENTITY_FILE`,
    );
  }
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new CannotStart("BACKUP_IDENTITY_FILE: contains an identity that is damaged");
  }
}

/** The SHA-256 of a file as it is on disk. */
export async function fileSum(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
