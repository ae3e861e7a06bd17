import { type ChildProcess, fork } from "node:child_process";
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

/** A file that was written when the service was built; null where it runs from source. */
export const builtFile = (name: string): string | null =>
  isBundled ? join(packageRoot, "dist", name) : null;

/**
 * Starts the program `server/<name>.ts`, which must be listed in scripts/bundle.mjs, as a process that answers by messages.
 * It gets none of the service's settings, and thus no secrets. With `heapMb`, it ends when its objects need more memory.
 *
 * A process and not a thread: what breaks Node itself (a parser in WebAssembly, a database, too little memory) then ends
 * the process, and the service goes on.
 */
export function startProgram(name: string, { heapMb }: { heapMb?: number } = {}): ChildProcess {
  // Where Node keeps what it has compiled: a start takes half as long.
  const { NODE_ENV, NODE_COMPILE_CACHE, SystemRoot } = process.env;
  const file = isBundled
    ? join(packageRoot, "dist", `${name}.js`)
    : join(packageRoot, "server", `${name}.ts`);
  return fork(file, [], {
    execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
    env: {
      ...{ NODE_ENV, TZ: "UTC" },
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      ...(SystemRoot && { SystemRoot }),
    },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
