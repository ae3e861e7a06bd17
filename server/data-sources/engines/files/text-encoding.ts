import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** How a file's characters are written. DuckDB reads all but the last. */
export type Encoding = "utf-8" | "utf-16" | "latin-1" | "windows-1252";

const chunk = 1024 * 1024;
/** A copy of more would fill the disk. */
const maxCopiedBytes = 1024 * 1024 * 1024;

/**
 * UTF-8 unless the file begins otherwise, or its first megabyte is none. Then it is what Windows writes in Western Europe,
 * which is Latin-1 with characters (€, “, ’) where that has none.
 */
export function encodingOf(file: string): Encoding {
  if (/\.(gz|zst)$/i.test(file)) return "utf-8";
  const [start = Buffer.alloc(0)] = chunksOf(file);
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)) return "utf-16";
  // A few broken characters among good ones are a fault of a file in UTF-8.
  const [broken, good] = [/\ufffd/g, /[^\0-\x7f\ufffd]/g].map(
    (pattern) => (start.toString("utf8").match(pattern) ?? []).length,
  );
  if ((broken ?? 0) <= (good ?? 0)) return "utf-8";
  if (hasSignsOfWindows(start)) return "windows-1252";
  // What cannot be copied anyhow is not read to its end for that.
  if (statSync(file).size > maxCopiedBytes) return "latin-1";
  for (const bytes of chunksOf(file)) if (hasSignsOfWindows(bytes)) return "windows-1252";
  return "latin-1";
}

/** Where Latin-1 has control characters, Windows has signs. */
const hasSignsOfWindows = (bytes: Buffer) => bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);

/**
 * Copies a file in Windows-1252 to one in UTF-8 in this folder, and returns its path. A copy of the same file, unchanged
 * since, is used again. Throws if the file is too large to be copied.
 */
export function copiedAsUtf8(file: string, folder: string): string {
  const { size, mtimeMs } = statSync(file);
  if (size > maxCopiedBytes)
    throw new Error(
      "Its characters are written in Windows-1252, which is read from files of up to 1 GB: convert it to UTF-8",
    );
  mkdirSync(folder, { recursive: true });
  const name = createHash("sha256").update(`${file}\0${size}\0${mtimeMs}`).digest("hex").slice(0, 32);
  const copy = join(folder, `${name}${/\.[a-z]+$/i.exec(file)?.[0] ?? ""}`);
  if (existsSync(copy)) return copy;
  const decoder = new TextDecoder("windows-1252");
  const part = `${copy}.part`;
  const descriptor = openSync(part, "w");
  try {
    for (const bytes of chunksOf(file)) writeSync(descriptor, decoder.decode(bytes, { stream: true }));
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, copy);
  return copy;
}

/** The file's bytes, part after part, in a buffer that is used again. */
function* chunksOf(file: string): Generator<Buffer> {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(Math.min(chunk, Math.max(1, statSync(file).size)));
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}
