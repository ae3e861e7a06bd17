import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import {
  reduceCatalog,
  reduceManifest,
  reduceRunResults,
} from "../server/data-quality/imports/dbt/reduce-manifest.mjs";

/**
 * What an import needs of the files in dbt's folder. They may be of any size: only what is needed is read into memory.
 * @param {string} folder
 */
export async function dbtFiles(folder) {
  const manifest = await reduced(folder, "manifest.json", reduceManifest);
  if (!manifest) throw new Error(`${join(folder, "manifest.json")} cannot be read (ENOENT)`);
  const runResults = await reduced(folder, "run_results.json", reduceRunResults);
  const catalog = await reduced(folder, "catalog.json", reduceCatalog);
  return { manifest, ...(runResults && { runResults }), ...(catalog && { catalog }) };
}

/**
 * @template T
 * @param {string} folder
 * @param {string} name
 * @param {(chunks: AsyncIterable<Uint8Array>) => Promise<T>} reduce
 * @returns {Promise<T | null>} null if there is no such file
 */
async function reduced(folder, name, reduce) {
  const file = join(folder, name);
  if (!existsSync(file)) return null;
  try {
    return await reduce(createReadStream(file, { highWaterMark: 1024 * 1024 }));
  } catch (error) {
    throw new Error(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
}
