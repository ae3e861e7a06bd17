/**
 * Writes the service into `dist/`: few files instead of its hundreds of sources, which are read and translated once
 * and not at each start. Packages stay in node_modules, and the pages in .next.
 */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is started by itself: the service, what it forks (server/program-files.ts), and what operators run. */
const programs = [
  "process/main",
  "queries/scratch-process",
  "data-quality/odcs/yaml-process",
  "findings/detection-thread",
  // Which the Dockerfile calls.
  "db/postgres-program",
  "commands/backup",
  "commands/hub-credentials",
  "commands/rebuild-counters",
  "commands/restore",
  "commands/rotate-key",
  // Which `npx plumbline scan` starts.
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
  // For the stacks of errors, which --enable-source-maps reads.
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
});
