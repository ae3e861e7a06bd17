/**
 * Writes the service into `dist/`: a few files instead of hundreds of sources, which are read and compiled once instead
 * of at every start. Packages stay in node_modules, and pages in .next.
 */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundlePrograms, localPrograms } from "./bundle-programs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The entry points: the service, what it forks (server/program-files.ts), and what operators run. */
const programs = [
  "process/main",
  "queries/scratch-process",
  "lineage/reading-process",
  // Called by the Dockerfile.
  "db/postgres-program",
  // Called below.
  "commands/describe-api",
  "commands/backup",
  "commands/hub-credentials",
  "commands/migrate",
  "commands/rebuild-counters",
  "commands/reset-password",
  "commands/restore",
  "commands/rotate-key",
  "commands/verify-audit",
  ...localPrograms,
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

/**
 * tRPC is published for engines that do not know `{ ...one, ...another }`, with a function that copies property by property.
 * It does so for every middleware of every call, which was a sixteenth of all that a small request took.
 */
const spreadsByEngine = {
  name: "spreads-by-engine",
  setup: ({ onLoad }) =>
    onLoad({ filter: /@trpc[/\\]server[/\\]dist[/\\].*\.mjs$/ }, async ({ path }) => {
      const contents = await readFile(path, "utf8");
      const copying = /^function _objectSpread2\(e\) \{\n[\s\S]*?^\}$/m;
      return { contents: contents.replace(copying, spreading) };
    }),
};
const spreading = `function _objectSpread2(first, second, ...others) {
  const merged = { ...first, ...second };
  return others.length === 0 ? merged : _objectSpread2(merged, ...others);
}`;

const outdir = join(root, "dist");
rmSync(outdir, { recursive: true, force: true });
const { metafile } = await bundlePrograms({
  ...{ programs, outdir, external, plugins: [lazyPackages, spreadsByEngine], target: "node24" },
  // Node keeps the text of what it runs in memory. Names stay as they are, for stack traces of packages, too.
  minifyWhitespace: true,
  // For stack traces in the log (server/telemetry/sources-in-stack.ts), and of commands.
  ...{ sourcemap: true, sourcesContent: false },
});

const { inputs } = metafile;
const unfound = Object.entries(inputs).flatMap(([file, { imports }]) =>
  imports
    .filter(({ path, kind }) => kind === "dynamic-import" && inputs[path]?.format === "cjs")
    .map(({ path }) => `${file} imports ${path}, which has to stay in node_modules`),
);
if (unfound.length > 0) throw new Error(unfound.join("\n"));

await promisify(execFile)(process.execPath, [join(outdir, "commands/describe-api.js")], { cwd: root });
