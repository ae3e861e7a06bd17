import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { importsOf } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const folders = ["server", "cli", "scripts", "components", "bench"];

/**
 * Every test file, by whether it needs a database of its own: because it, or what it loads, opens the service's pool,
 * or because it names a database server itself. Found in the imports, so that nobody keeps a list.
 */
export function testsByNeed(): { database: string[]; pure: string[] } {
  const tests = folders.flatMap(filesBelow).filter((file) => file.endsWith(".test.ts"));
  const needs = new Map<string, boolean>();
  const database = tests.filter((file) => needsDatabase(file, needs));
  return { database, pure: tests.filter((file) => !database.includes(file)) };
}

/** `known` has what was found before; a file that is being looked at counts as none, so that circles end. */
function needsDatabase(file: string, known: Map<string, boolean>): boolean {
  const found = known.get(file);
  if (found !== undefined) return found;
  known.set(file, false);
  const source = readFileSync(join(root, file), "utf8");
  const needs =
    /\bDATABASE_URL\b|\binject\(/.test(/^server\/env(\.ts$|\/)/.test(file) ? "" : source) ||
    importsOf(file, source).some(({ to, isType }) => !isType && isOurs(to) && needsDatabase(to, known));
  known.set(file, needs);
  return needs;
}

const isOurs = (path: string) => /\.tsx?$/.test(path) && existsSync(join(root, path));

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
