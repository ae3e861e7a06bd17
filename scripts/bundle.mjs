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
  "data-sources/engines/files/process",
  "data-quality/odcs/yaml-process",
  "findings/detection-process",
  "lineage/reading-process",
  // Called by the Dockerfile.
  "db/postgres-program",
  "commands/backup",
  "commands/hub-credentials",
  "commands/migrate",
  "commands/rebuild-counters",
  "commands/reset-password",
  "commands/restore",
  "commands/rotate-key",
  "commands/verify-audit",
  // Started by `npx plumbline scan` and `npx plumbline contract evaluate --file`.
  "commands/scan",
  "commands/evaluate",
];

/**
 * Packages that stay in node_modules: they find their own files, are loaded for some data sources only, or import a
 * package in the older format when they need it, whose names `import()` would not find in a bundle.
 */
const external = [
  "next",
  "next-auth",
  "@clickhouse/client",
  "@duckdb/*",
  "@polyglot-sql/*",
  "pino",
  "mysql2",
  "tedious",
  "inngest",
  "ai",
  "@ai-sdk/*",
];

/** What the service itself imports only when it is needed stays there as well. */
const lazyPackages = {
  name: "lazy-packages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) =>
      kind === "dynamic-import" && importer.startsWith(join(root, "server"))
        ? { path, external: true }
        : null,
    ),
};

const outdir = join(root, "dist");
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: programs.map((name) => join(root, "server", `${name}.ts`)),
  outbase: join(root, "server"),
  outdir,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  external,
  plugins: [lazyPackages],
  metafile: true,
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

const { inputs } = metafile;
const unfound = Object.entries(inputs).flatMap(([file, { imports }]) =>
  imports
    .filter(({ path, kind }) => kind === "dynamic-import" && inputs[path]?.format === "cjs")
    .map(({ path }) => `${file} imports ${path}, which has to stay in node_modules`),
);
if (unfound.length > 0) throw new Error(unfound.join("\n"));
