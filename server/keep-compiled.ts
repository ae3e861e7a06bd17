import module from "node:module";

const { flushCompileCache }: Partial<typeof module> = module;

/**
 * For the programs that `startProgram` starts, when they are loaded. Where NODE_COMPILE_CACHE is set, Node writes what it has
 * compiled when a process exits, but each of these is killed once it has answered: without this, every one of them
 * compiles everything again. Older versions of Node, which may run the command line, cannot.
 */
export function keepCompiled(): void {
  if (process.env.NODE_COMPILE_CACHE) flushCompileCache?.();
}
