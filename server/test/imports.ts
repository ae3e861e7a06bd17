import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Import = { from: string; to: string; isType: boolean };

const root = join(import.meta.dirname, "../..");

/**
 * The imports of a project file, by its text: `from` and `to` are paths from the repository root, or names of packages.
 * `isType` marks imports that do not exist at runtime.
 */
export function importsOf(from: string, source = readFileSync(join(root, from), "utf8")): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const statements = [
    ...code.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s*"([^"]+)"/gm),
    ...code.matchAll(/^import\s+()"([^"]+)"/gm),
    ...code.matchAll(/\bimport\(()"([^"]+)"\)/g),
  ];
  return statements.map(([, type, path = ""]) => ({ from, to: resolved(from, path), isType: Boolean(type) }));
}

function resolved(from: string, path: string): string {
  if (path.startsWith("@/")) return path.slice(2);
  return path.startsWith(".") ? join(dirname(from), path) : path;
}
