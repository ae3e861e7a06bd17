/**
 * The part of the environment that lets a program of ours, started by a test, load quickly: what Node has compiled is
 * kept if it is for the test, and see resolve-drizzle.ts.
 */
export const programEnv: Record<string, string> = {
  NODE_OPTIONS: `--import=${new URL("resolve-drizzle.ts", import.meta.url).href}`,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
