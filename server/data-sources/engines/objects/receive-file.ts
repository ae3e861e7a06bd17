import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { sizeText } from "../../../text.ts";
import { type Target, unreachable, unusable } from "./object-store.ts";

type How = {
  /** What it is called in messages. */
  what: string;
  /** How many bytes of it are in the file, after which this continues. */
  startsAt?: number;
};

/** Writes a body to the file as it arrives. Returns its size and a hash of what has arrived. */
export async function receiveFile(
  response: IncomingMessage,
  { file, maxBytes, onProgress }: Target,
  { what, startsAt = 0 }: How,
): Promise<{ size: number; hash: string }> {
  const declared = Number(response.headers["content-length"] ?? 0);
  if (startsAt + declared > maxBytes) throw tooLarge(what, maxBytes);
  const hash = createHash("sha256");
  let size = startsAt;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) return done(tooLarge(what, maxBytes));
      hash.update(chunk);
      onProgress(size);
      done(null, chunk);
    },
  });
  const writing = createWriteStream(file, { flags: startsAt > 0 ? "a" : "w", mode: 0o600 });
  const encoding = encodingOf(response, what);
  if (encoding) await pipeline(response, decoders[encoding](), counting, writing);
  else await pipeline(response, counting, writing);
  return { size, hash: hash.digest("hex") };
}

const decoders = {
  gzip: createGunzip,
  zstd: createZstdDecompress,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** How a body is compressed beyond what the file itself is: `orders.csv.gz` stays as it is. null if it is not. */
export function encodingOf({ headers }: IncomingMessage, what: string): keyof typeof decoders | null {
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase().replace(/^x-/, "");
  if (encoding === "" || encoding === "identity" || encoding === "aws-chunked") return null;
  if (encoding === "gzip" && /\.gz$/i.test(what)) return null;
  if (encoding === "zstd" && /\.zst$/i.test(what)) return null;
  if (encoding in decoders) return encoding as keyof typeof decoders;
  throw unreachable(`${what} has a content encoding that is not known`);
}

const tooLarge = (what: string, maxBytes: number) =>
  unusable(`${what} is too large: there is room for ${sizeText(maxBytes)} in the cache (FILES_CACHE_MB)`);
