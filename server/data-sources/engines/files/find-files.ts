import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join, matchesGlob } from "node:path";
import { isWithin } from "./allowed-folder.ts";
import { databaseKindOf, type Format, formatOf, mayBeDatabase, stemOf } from "./formats.ts";

export type DataFile = {
  /** The real path. */
  path: string;
  /** Below the folder, with slashes. */
  shown: string;
  format: Format;
  size: number;
  changedAt: number;
  /** The keys of the `key=value` folders that it is in. */
  keys: string;
};

/** Files that may be one table. */
export type Candidate = {
  name: string;
  /** The folder that they are in, empty for the topmost. */
  place: string;
  files: DataFile[];
  /** Whether they are one table whatever their columns are, because a person said so. */
  isPattern: boolean;
};

export type DatabaseFile = Pick<DataFile, "path" | "shown" | "size" | "changedAt"> & {
  name: string;
  kind: "duckdb" | "sqlite";
};

export type Found = { candidates: Candidate[]; databases: DatabaseFile[] };

const max = { files: 100_000, depth: 12 };

export class TooManyFiles extends Error {}

type Visit = { folder: string; shown: string; keys: string[]; depth: number };

/**
 * What a folder holds: each file directly in it may be a table, and so may the files of each folder below it, with those
 * in its `key=value` folders. Links are followed to files within the folder only. Hidden files, and those that begin
 * with an underscore, are left out, as other tools do.
 */
export function findFiles(root: string, patterns: readonly string[], only?: string): Found {
  const files = new Map<string, DataFile[]>();
  const databases: DatabaseFile[] = [];
  let count = 0;

  const visit = ({ folder, shown, keys, depth }: Visit, group: string) => {
    const entries = entriesOf(folder, depth > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (entries.some(({ name }) => name === "_delta_log")) return;
    for (const entry of entries) {
      const { name } = entry;
      if (/^[._]/.test(name)) continue;
      const path = join(folder, name);
      const below = shown === "" ? name : `${shown}/${name}`;
      if (entry.isDirectory()) {
        if (depth >= max.depth) continue;
        const key = /^([^=]+)=/.exec(name)?.[1];
        const next = { folder: path, shown: below, depth: depth + 1 };
        if (key !== undefined) visit({ ...next, keys: [...keys, key] }, group);
        else visit({ ...next, keys: [] }, below);
        continue;
      }
      const format = formatOf(name);
      const isDatabase = mayBeDatabase(name);
      if (format === null && !isDatabase) continue;
      if (only !== undefined && below !== only) continue;
      if (++count > max.files) throw new TooManyFiles();
      const found = factsOf(root, path);
      if (found === null) continue;
      if (format !== null) {
        const file = { ...found, shown: below, format, keys: keys.join("/") };
        files.set(group, [...(files.get(group) ?? []), file]);
        continue;
      }
      const kind = databaseKindOf(startOf(found.path));
      if (kind !== null) databases.push({ ...found, shown: below, name: stemOf(name), kind });
    }
  };
  visit({ folder: root, shown: "", keys: [], depth: 0 }, "");
  return { candidates: candidatesOf(root, files, patterns), databases };
}

/** A folder below may have vanished, or be closed to this process. */
function entriesOf(folder: string, mayBeMissing: boolean) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!mayBeMissing) throw error;
    return [];
  }
}

/** null if it has vanished, or is a link that leads out. */
function factsOf(root: string, path: string) {
  try {
    const real = realpathSync(path);
    const facts = statSync(real);
    if (!facts.isFile() || !isWithin(root, real)) return null;
    return { path: real, size: facts.size, changedAt: facts.mtimeMs };
  } catch {
    return null;
  }
}

export function startOf(path: string, length = 16): Buffer {
  try {
    const descriptor = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function candidatesOf(
  root: string,
  groups: ReadonlyMap<string, DataFile[]>,
  patterns: readonly string[],
): Candidate[] {
  const all = [...groups.values()].flat();
  const taken = new Set<DataFile>();
  const byPattern = patterns.flatMap((pattern): Candidate[] => {
    const files = all.filter((file) => !taken.has(file) && matchesGlob(file.shown, pattern));
    for (const file of files) taken.add(file);
    return files.length > 0 ? [{ name: pattern, place: "", files, isPattern: true }] : [];
  });
  const byPlace = [...groups].flatMap(([group, inGroup]): Candidate[] => {
    const files = inGroup.filter((file) => !taken.has(file));
    const partitions = files.filter(({ keys }) => keys !== "");
    if (group !== "") return files.length > 0 ? [{ name: group, place: group, files, isPattern: false }] : [];
    // Directly in the folder, each file is by itself, unless it is in a partition.
    const single = files.filter(({ keys }) => keys === "");
    return [
      ...single.map((file) => ({ name: basename(file.shown), place: "", files: [file], isPattern: false })),
      ...(partitions.length > 0
        ? [{ name: basename(root), place: "", files: partitions, isPattern: false }]
        : []),
    ];
  });
  return [...byPattern, ...byPlace];
}
