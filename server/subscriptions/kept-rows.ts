import { hash } from "node:crypto";
import type { ResultSet } from "../data-sources/engines/engine.ts";
import type { Sample } from "../data-sources/sample.ts";
import { trimSample } from "../data-sources/trim-sample.ts";
import { comparedRows } from "./limits.ts";

/** What is kept of a result: its first rows, masked, and hashes of some more. */
export type KeptRows = { sample: Sample; hashes: Buffer };

const hashBytes = 8;

/**
 * Pure. null for a result without rows. A row's hash covers all its values, unmasked, so it is keyed: without the key,
 * nobody can try which values it belongs to.
 */
export function keptRowsOf(result: Pick<ResultSet, "columns" | "rows">, key: Buffer): KeptRows | null {
  if (result.rows.length === 0) return null;
  const sample = trimSample(result, { keyColumns: [], column: null, mode: "Masked" });
  const hashOf = hmacWith(key);
  const hashes = result.rows
    .slice(0, comparedRows)
    .map((row) => hashOf(JSON.stringify(row)).subarray(0, hashBytes));
  return { sample, hashes: Buffer.concat(hashes) };
}

const blockBytes = 64;

/**
 * HMAC-SHA-256 (RFC 2104) with a key of at most 64 bytes. `createHmac` takes seven times as long for a short text, and
 * a run would hold up the others.
 */
export function hmacWith(key: Buffer): (text: string) => Buffer {
  const padded = (by: number) => Buffer.alloc(blockBytes).map((_, place) => (key[place] ?? 0) ^ by);
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  const sha256 = (...parts: Uint8Array[]) => hash("sha256", Buffer.concat(parts), "buffer");
  return (text) => sha256(outer, sha256(inner, Buffer.from(text)));
}

/**
 * Pure. The positions of rows in the one list of hashes that the other lacks. Of rows that are the same, as many match
 * as both lists have; the first ones do.
 */
export function withoutMatch(hashes: Buffer, others: Buffer): number[] {
  const left = new Map<string, number>();
  for (const hash of each(others)) left.set(hash, (left.get(hash) ?? 0) + 1);
  return each(hashes).flatMap((hash, position) => {
    const count = left.get(hash) ?? 0;
    if (count > 0) left.set(hash, count - 1);
    return count > 0 ? [] : [position];
  });
}

const each = (hashes: Buffer): string[] =>
  Array.from({ length: hashes.length / hashBytes }, (_, row) =>
    hashes.toString("hex", row * hashBytes, (row + 1) * hashBytes),
  );

/** How many rows were hashed. */
export const hashedRows = (hashes: Buffer): number => hashes.length / hashBytes;
