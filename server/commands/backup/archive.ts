import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker, type TarHeader } from "modern-tar";
import { z } from "zod";
import { CannotStart } from "../../errors.ts";
import { decrypted, encrypted, type Keys, type Lock } from "./encryption.ts";

/**
 * The file of a backup: a gzipped tar, which any tar program can open. Its last entry lists the SHA-256 of all others,
 * so that an incomplete file is detected.
 */
export type Entry = {
  name: string;
  mode: number;
  /** null for a folder. */
  file: { size: number; body: ReadableStream<Uint8Array> } | null;
};

const listName = "checksums.json";
const list = z.record(z.string(), z.string());

export function textEntry(name: string, text: string): Entry {
  const bytes = new TextEncoder().encode(text);
  const body = new Blob([bytes]).stream();
  return { name, mode: 0o600, file: { size: bytes.byteLength, body } };
}

/** The entries of a plain tar, as a stream. Read each one before requesting the next. */
export async function* entriesOf(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const decoder = createTarDecoder({ strict: true });
  const given = new AbortController();
  const feeding = feed(tar, decoder.writable, given.signal);
  // Awaited below; until then a failure would be unhandled.
  feeding.catch(() => {});
  try {
    for await (const { header, body } of decoder.readable) yield entryOf(header, body);
    await feeding;
  } catch (error) {
    // The source's error is more informative than an early end.
    await feeding;
    throw error;
  } finally {
    // Releases the source if the reader stops early.
    given.abort();
  }
}

async function feed(
  tar: AsyncIterable<Uint8Array>,
  decoder: WritableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const writer = decoder.getWriter();
  try {
    for await (const part of tar) {
      if (signal.aborted) return;
      await writer.write(part);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

function entryOf({ name, mode = 0o600, size, type }: TarHeader, body: ReadableStream<Uint8Array>): Entry {
  if (type === "directory") return { name: name.replace(/\/$/, ""), mode, file: null };
  if (type === "file") return { name, mode, file: { size, body } };
  throw new Error(`${name} is neither a file nor a folder`);
}

/**
 * Writes the file, which must not exist yet, and flushes it to disk; with a lock, it is encrypted on the way there. Returns
 * the checksums of its files by name, and that of the file itself.
 */
export async function writeArchive(
  file: string,
  entries: AsyncIterable<Entry>,
  lock: Lock | null = null,
): Promise<{ sums: Map<string, string>; fileSum: string }> {
  const packer = createTarPacker();
  const hash = createHash("sha256");
  const writing = pipeline(
    packer.readable,
    createGzip({ level: constants.Z_BEST_SPEED }),
    async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const part of lock ? encrypted(parts, lock) : parts) {
        hash.update(part);
        yield part;
      }
    },
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
  writing.catch((error) => packer.controller.error(error));
  const sums = new Map<string, string>();
  try {
    for await (const { name, mode, file } of entries) {
      if (file) sums.set(name, await add(packer.controller, name, mode, file));
      else await packer.controller.add({ name: `${name}/`, mode, size: 0, type: "directory" }).close();
    }
    const { name, mode, file } = textEntry(listName, JSON.stringify(Object.fromEntries(sums), null, 1));
    if (file) await add(packer.controller, name, mode, file);
    packer.controller.finalize();
  } catch (error) {
    packer.controller.error(error);
    await writing.catch(() => {});
    throw error;
  }
  await writing;
  return { sums, fileSum: hash.digest("hex") };
}

async function add(
  controller: ReturnType<typeof createTarPacker>["controller"],
  name: string,
  mode: number,
  { size, body }: NonNullable<Entry["file"]>,
): Promise<string> {
  const hash = createHash("sha256");
  const place = controller.add({ name, mode, size, type: "file" });
  await body.pipeThrough(hashing(hash)).pipeTo(place);
  return hash.digest("hex");
}

const hashing = (hash: ReturnType<typeof createHash>) =>
  new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hash.update(chunk);
      controller.enqueue(chunk);
    },
  });

/**
 * Reads a whole archive and passes each entry to `take`, verifying its body on the way. Throws CannotStart for a
 * damaged or incomplete one, after everything has been taken.
 */
export async function readArchive(
  file: string,
  take: (entry: Entry) => Promise<void>,
  keys: Keys = { identities: [] },
): Promise<void> {
  const sums = new Map<string, string>();
  let promised: Record<string, string> | null = null;
  try {
    for await (const entry of entriesOf(gunzipped(file, keys))) {
      if (promised) throw new Error("unexpected data after its end");
      if (!entry.file) await take(entry);
      else if (entry.name === listName) promised = list.parse(JSON.parse(await textOf(entry)));
      else {
        const hash = createHash("sha256");
        const body = entry.file.body.pipeThrough(hashing(hash));
        await take({ ...entry, file: { ...entry.file, body } });
        sums.set(entry.name, hash.digest("hex"));
      }
    }
    const names = Object.keys(promised ?? {});
    const isWhole = names.length === sums.size && names.every((name) => sums.get(name) === promised?.[name]);
    if (!promised || !isWhole) throw new Error("its contents have changed");
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw new CannotStart(`${file} is damaged, incomplete, or not a Plumbline backup`);
  }
}

function gunzipped(file: string, keys: Keys): AsyncIterable<Uint8Array> {
  const plain = createGunzip();
  pipeline(decrypted(file, keys), plain).catch((error) => plain.destroy(error));
  return plain;
}

/** The whole text of a small file. */
export async function textOf({ file }: Entry): Promise<string> {
  return file ? new Response(file.body).text() : "";
}
