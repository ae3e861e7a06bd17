import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Locates the program's files. It runs either from source (development, tests) or from `dist/`, written by
 * scripts/bundle.mjs, where a module is not at its own path and may share a file with others.
 */
const isBundled = !import.meta.filename.endsWith(".ts");

/** The folder with package.json, the migrations, the pages' build, and the packages. */
export const packageRoot = folderOfPackage(import.meta.dirname);

function folderOfPackage(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : folderOfPackage(dirname(folder));
}

/** How Node starts one of the service's own programs. */
type Program = { file: string; execArgv: string[] };

/** The program `server/<name>.ts`, which must be listed in scripts/bundle.mjs. */
export function programNamed(name: string): Program {
  return isBundled
    ? { file: join(packageRoot, "dist", `${name}.js`), execArgv: ["--enable-source-maps"] }
    : { file: join(packageRoot, "server", `${name}.ts`), execArgv: [] };
}
