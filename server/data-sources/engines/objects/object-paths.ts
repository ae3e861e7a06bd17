import { matchesGlob } from "node:path";
import { duckdb } from "../../dialects/duckdb.ts";
import { isReadable, mayBeDatabase, stemOf } from "../files/formats.ts";

/** Which objects are files of a data source, and which of them a statement may read. Pure. */

const max = { depth: 12, nameBytes: 200, pathBytes: 900 };

/** The prefix as a folder: without a slash in front, and with one behind unless it is empty. */
export function folderOf(prefix: string): string {
  const parts = prefix.split("/").filter((part) => part !== "");
  return parts.map((part) => `${part}/`).join("");
}

/**
 * Where an object is below the folder; null if it is left out: other kinds of files, hidden ones, and those whose
 * keys cannot be paths.
 */
export function pathOfKey(key: string, folder: string): string | null {
  if (!key.startsWith(folder)) return null;
  const path = key.slice(folder.length);
  const parts = path.split("/");
  const isPath =
    parts.length <= max.depth &&
    Buffer.byteLength(path) <= max.pathBytes &&
    parts.every((part) => /^[^._]/.test(part) && Buffer.byteLength(part) <= max.nameBytes) &&
    !/[\\\p{Cc}]/u.test(path);
  return isPath && isReadable(path) ? path : null;
}

/**
 * The paths that can be files next to one another: none below another one. Folders of Delta tables are left out, as what
 * is in them is not what the table has.
 */
export function usablePaths<T extends { path: string }>(
  objects: readonly T[],
  deltaFolders: ReadonlySet<string>,
): T[] {
  const paths = new Set(objects.map(({ path }) => path));
  return objects.filter(({ path }) =>
    above(path).every((folder) => !paths.has(folder) && !deltaFolders.has(folder)),
  );
}

/** The folder of a Delta table that the key belongs to the log of, below the folder; null for any other key. */
export function deltaFolderOf(key: string, folder: string): string | null {
  const at = key.indexOf("_delta_log/", folder.length);
  if (!key.startsWith(folder) || at < 0 || (at > folder.length && key[at - 1] !== "/")) return null;
  return key.slice(folder.length, Math.max(folder.length, at - 1));
}

/** The folders that a path is in, with the topmost, which is empty. */
const above = (path: string): string[] => {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
};

export const matchesAny = (path: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesGlob(path, pattern));

/** What every path that matches one of these begins with. */
export function commonStart(patterns: readonly string[]): string {
  const [first = "", ...others] = patterns.map((pattern) => pattern.split(/[*?[{(!+@\\]/, 1)[0] ?? "");
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

/**
 * The objects that a statement with these names may read: all that may become a table of such a name (find-files.ts), and
 * whatever decides what these tables are called. `name` is that of the folder.
 */
export function neededBy<T extends { path: string }>(
  objects: readonly T[],
  names: ReadonlySet<string>,
  { patterns, name }: { patterns: readonly string[]; name: string },
): T[] {
  // How many rows each table has is asked of all.
  if (names.has("plumbline") && names.has("tables")) return [...objects];
  const wanted = new Set([...names].map(plain));
  const isWanted = (candidate: string) => wanted.has(plain(candidate));
  const groups = new Map<string, { members: T[]; isNeeded: boolean }>();
  for (const object of objects) {
    const { group, candidates } = tablesOf(object.path, patterns, name);
    const known = groups.get(group) ?? { members: [], isNeeded: false };
    const isSchema =
      mayBeDatabase(object.path) &&
      candidates.some((each) => [...wanted].some((one) => one.startsWith(`${plain(each)}.`)));
    known.isNeeded ||= isSchema || candidates.some(isWanted);
    known.members.push(object);
    groups.set(group, known);
  }
  return [...groups.values()].flatMap(({ members, isNeeded }) => (isNeeded ? members : []));
}

/** The same for names that may stand for one another: without regard to case, endings, and numbers. */
const plain = (name: string) => duckdb.foldName(stemOf(name.replace(/ \(\d+\)$/, "")));

/** What is one table or several, depending on what is in it, and the names that tables of it may get. */
function tablesOf(path: string, patterns: readonly string[], name: string) {
  const pattern = patterns.find((each) => matchesGlob(path, each));
  if (pattern !== undefined) return { group: `pattern ${pattern}`, candidates: [pattern] };
  const parts = path.split("/");
  const file = parts.at(-1) ?? path;
  if (mayBeDatabase(file)) return { group: `file ${path}`, candidates: [file] };
  const folders = parts.slice(0, -1);
  const last = folders.findLastIndex((part) => !/^[^=]+=/.test(part));
  const group = folders.slice(0, last + 1).join("/");
  if (group !== "") return { group: `folder ${group}`, candidates: [group, path] };
  return folders.length === 0
    ? { group: `file ${plain(file)}`, candidates: [file] }
    : { group: "partitions", candidates: [name, path] };
}
