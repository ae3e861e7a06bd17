import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { importsOf } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const folders = ["server", "cli", "scripts", "components", "bench"];

type TestsByNeed = {
  /** Need a database of their own. */
  database: string[];
  /** Need no database, and no modules of their own either: what they import is loaded once for all of them. */
  pure: string[];
  /** Need no database, but leave something behind in the modules that they import. */
  pureAlone: string[];
};

/**
 * Every test file, by what it needs. Found in its text and its imports, so that nobody keeps a list.
 *
 * A file needs a database of its own when it, or what it loads, opens the service's pool, or when it names a database
 * server itself.
 */
export function testsByNeed(): TestsByNeed {
  const tests = folders.flatMap(filesBelow).filter((file) => file.endsWith(".test.ts"));
  const opening = new Map<string, boolean>();
  const database = tests.filter((file) => reaches(file, opensDatabase, opening));
  const without = tests.filter((file) => !database.includes(file));
  const pureAlone = without.filter(leavesTraces);
  return { database, pure: without.filter((file) => !pureAlone.includes(file)), pureAlone };
}

const opensDatabase = (file: string) =>
  file !== "server/env.ts" && /\bDATABASE_URL\b|\binject\(/.test(textOf(file));

/** Replaces modules, or says itself that it needs modules of its own, with a reason. */
const leavesTraces = (file: string) =>
  /\bvi\.(mock|doMock|resetModules|stubGlobal)\(|^ \* @own-modules |^\/\*\* @own-modules /m.test(
    textOf(file),
  );

/** Whether a file or anything that it loads `is` so. `known` has what was found before; a circle counts as no. */
function reaches(file: string, is: (file: string) => boolean, known: Map<string, boolean>): boolean {
  const found = known.get(file);
  if (found !== undefined) return found;
  known.set(file, false);
  const answer =
    is(file) ||
    importsOf(file, textOf(file)).some(({ to, isType }) => !isType && isOurs(to) && reaches(to, is, known));
  known.set(file, answer);
  return answer;
}

const texts = new Map<string, string>();
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), "utf8");
  texts.set(file, text);
  return text;
}

const isOurs = (path: string) => /\.tsx?$/.test(path) && existsSync(join(root, path));

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
