import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { importsOf } from "./imports.ts";

const root = join(import.meta.dirname, "../..");
const folders = ["server", "cli", "scripts", "components", "bench"];

type Need = "native" | "database" | "interface" | "functions" | "others";

/**
 * Every test file, by what it needs. Found in the imports, so that nobody keeps a list.
 *
 * `native`: a process of its own, because it loads DuckDB, which stays in a process with whatever it has not closed.
 * `database`: a database of its own, because it, or what it loads, opens the service's pool, or because it names a
 * database server itself. `interface`: what people see. `functions`: nothing, as it calls functions of what they are given.
 * `others`: modules of its own, because of settings, files, ports, programs, timers, or what is measured.
 */
export function testsByNeed(): Record<Need, string[]> {
  const tests = folders.flatMap(filesBelow).filter((file) => file.endsWith(".test.ts"));
  const byNeed = Object.groupBy(tests, (file) => {
    if (loads(file, isOnDuckDb)) return "native";
    if (loads(file, namesDatabase)) return "database";
    if (file.startsWith("components/")) return "interface";
    return loads(file, needsProcess) ? "others" : "functions";
  });
  return { ...{ native: [], database: [], interface: [], functions: [], others: [] }, ...byNeed };
}

/** With what it loads itself: files of ours, and names of packages. */
type Loaded = { file: string; source: string; ours: string[]; packages: string[] };

const isOnDuckDb = ({ packages }: Loaded) => packages.some((name) => name.startsWith("@duckdb/"));

const namesDatabase = ({ file, source }: Loaded) =>
  !/^server\/env(\.ts$|\/)/.test(file) && /\bDATABASE_URL\b|\binject\(/.test(source);

const outside = /^node:(child_process|dgram|dns|fs|http|http2|https|net|sqlite|tls|worker_threads)(\/|$)/;
const needsProcess = ({ source, packages }: Loaded) =>
  /\bvi\.|\bprocess\.(env|on|cpuUsage|memoryUsage)\b|\bglobalThis\.|\bset(Timeout|Interval)\(|\bperformance\./.test(
    source,
  ) || packages.some((name) => outside.test(name));

/** Whether a file, or one that it loads, directly or not, is such a one. */
function loads(file: string, isSuch: (loaded: Loaded) => boolean): boolean {
  const reached = new Set([file]);
  for (const each of reached) {
    const loaded = read(each);
    if (isSuch(loaded)) return true;
    for (const ours of loaded.ours) reached.add(ours);
  }
  return false;
}

const known = new Map<string, Loaded>();

function read(file: string): Loaded {
  const found = known.get(file);
  if (found) return found;
  const source = readFileSync(join(root, file), "utf8");
  const imports = importsOf(file, source).flatMap(({ to, isType }) => (isType ? [] : to));
  const ours = imports.filter(isOurs);
  const loaded = { file, source, ours, packages: imports.filter((to) => !ours.includes(to)) };
  known.set(file, loaded);
  return loaded;
}

const isOurs = (path: string) => /\.(tsx?|mjs)$/.test(path) && existsSync(join(root, path));

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
