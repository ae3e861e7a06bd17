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

const outdir = join(root, "dist");
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: programs.map((name) => join(root, "server", `${name}.ts`)),
  outbase: join(root, "server"),
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node24",
  // For stack traces, with --enable-source-maps.
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
});
