import {
  reduceCatalog,
  reduceManifest,
  reduceRunResults,
} from "@/server/data-quality/imports/dbt/reduce-manifest.mjs";
import { maxImportMegabytes } from "@/server/data-quality/imports/schema.ts";
import { maxFileMegabytes } from "@/server/data-quality/odcs/schema.ts";

/** Reads files of checks in the browser: what they are, and only what an import needs of them. */

export const fileKinds = {
  manifest: "dbt manifest",
  runResults: "dbt run results",
  catalog: "dbt catalog",
  soda: "Soda checks",
  gx: "Great Expectations suite",
  odcs: "Data contract (ODCS)",
} as const;
export type FileKind = keyof typeof fileKinds;

export type CheckFile = { name: string; size: number; kind: FileKind; content: unknown };
export type ReadFile = CheckFile | { name: string; problem: string };

const megabyte = 1024 * 1024;

/** Calls `onProgress` with the share that was read of a large file. */
export async function readCheckFile(file: File, onProgress: (share: number) => void): Promise<ReadFile> {
  const { name, size } = file;
  try {
    const isJson = /\.json$/i.test(name) || /^\s*\{\s*"/.test(await file.slice(0, 1024).text());
    const read = isJson ? await readJson(file, onProgress) : await readText(file);
    return { name, size, ...read };
  } catch (error) {
    return { name, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Pasted YAML. */
export const kindOfYaml = (text: string): FileKind =>
  /^\s*["']?kind["']?\s*:\s*["']?DataContract\b/m.test(text) || /^\s*apiVersion\s*:/m.test(text)
    ? "odcs"
    : "soda";

async function readText(file: File): Promise<{ kind: FileKind; content: string }> {
  if (file.size > maxFileMegabytes * megabyte)
    throw new Error(`The file is larger than ${maxFileMegabytes} MB.`);
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return { kind: kindOfYaml(content), content };
  } catch {
    throw new Error("The file is not text in UTF-8.");
  }
}

/** dbt's files may be of any size, so they are read in pieces. */
async function readJson(
  file: File,
  onProgress: (share: number) => void,
): Promise<{ kind: FileKind; content: unknown }> {
  const chunks = () => chunksOf(file, onProgress);
  switch (await kindOfJson(file)) {
    case "manifest":
      return { kind: "manifest", content: await reduceManifest(chunks()) };
    case "runResults":
      return { kind: "runResults", content: await reduceRunResults(chunks()) };
    case "catalog":
      return { kind: "catalog", content: await reduceCatalog(chunks()) };
    default: {
      if (file.size > maxImportMegabytes * megabyte)
        throw new Error(`The file is larger than ${maxImportMegabytes} MB, and is not one of dbt's.`);
      const content = parsed(await file.text());
      const isSuite = typeof content === "object" && content !== null && "expectations" in content;
      if (!isSuite)
        throw new Error(
          "The file is neither dbt's manifest.json, run_results.json, or catalog.json, nor a suite of Great Expectations.",
        );
      return { kind: "gx", content };
    }
  }
}

/** dbt's files name their schema near the beginning; otherwise, the name says which they are. */
async function kindOfJson(file: File): Promise<FileKind | null> {
  const start = await file.slice(0, 4096).text();
  const schema = /schemas\.getdbt\.com\/dbt\/(manifest|run-results|catalog)\//.exec(start)?.[1];
  const named = /(manifest|run_results|catalog)[^/]*\.json$/i.exec(file.name)?.[1]?.toLowerCase();
  const kinds: Readonly<Record<string, FileKind>> = {
    manifest: "manifest",
    "run-results": "runResults",
    run_results: "runResults",
    catalog: "catalog",
  };
  return kinds[schema ?? named ?? ""] ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The file is not valid JSON.");
  }
}

async function* chunksOf(file: File, onProgress: (share: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let read = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    read += value.length;
    onProgress(read / file.size);
    yield value;
  }
}
