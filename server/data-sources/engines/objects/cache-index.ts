import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Fetched } from "./object-store.ts";

/** Which versions of which objects a folder has, on disk, so that a later process need not fetch them again. */

const stored = z.object({
  objects: z.record(z.string(), z.object({ size: z.number().nonnegative(), version: z.string() })),
});

const fileIn = (folder: string) => join(folder, "index.json");

export function indexIn(folder: string): { objects: Map<string, Fetched>; bytes: number } {
  let objects = new Map<string, Fetched>();
  try {
    objects = new Map(Object.entries(stored.parse(JSON.parse(readFileSync(fileIn(folder), "utf8"))).objects));
  } catch {
    // Without an index that can be read, nothing in the folder counts.
  }
  return { objects, bytes: bytesOf(objects) };
}

export const bytesOf = (objects: ReadonlyMap<string, Fetched>): number =>
  [...objects.values()].reduce((sum, { size }) => sum + size, 0);

/** Written beside and then moved, so that it is never half there. */
export function writeIndex(folder: string, objects: ReadonlyMap<string, Fetched>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = `${fileIn(folder)}.new`;
  writeFileSync(beside, JSON.stringify({ objects: Object.fromEntries(objects) }), { mode: 0o600 });
  renameSync(beside, fileIn(folder));
}
