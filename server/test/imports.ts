import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type Import = { from: string; to: string; isType: boolean; isLater: boolean };

const root = join(import.meta.dirname, "../..");

/**
 * The imports of a project file, by its text: `from` and `to` are paths from the repository root, or names of packages.
 * `isType` marks imports that do not exist at runtime, `isLater` those that are loaded when the code asks for them.
 */
export function importsOf(from: string, source = readFileSync(join(root, from), "utf8")): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const statements = [
    ...code.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s*"([^"]+)"/gm),
    ...code.matchAll(/^import\s+()"([^"]+)"/gm),
  ];
  const later = code.matchAll(/\bimport\("([^"]+)"\)/g);
  return [
    ...statements.map(([, type, path = ""]) => ({ to: path, isType: Boolean(type), isLater: false })),
    ...[...later].map(([, path = ""]) => ({ to: path, isType: false, isLater: true })),
  ].map(({ to, ...rest }) => ({ from, to: resolved(from, to), ...rest }));
}

function resolved(from: string, path: string): string {
  if (path.startsWith("@/")) return path.slice(2);
  return path.startsWith(".") ? join(dirname(from), path) : path;
}
