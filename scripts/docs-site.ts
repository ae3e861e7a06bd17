/**
 * The documentation as a site: `npm run docs:site -- [--out .site] [--base /path/] [--version 0.1.0]`. Plain files, from
 * the Markdown pages and the OpenAPI document: they work from a disk and in any folder of a web server. With a version,
 * it gets a folder of its own beside those that are there, and `latest` has the newest.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openApiDocument } from "../server/doors/rest/openapi.ts";
import { restRoot } from "../server/doors/rest/root.ts";
import { buildSite, shownFolder } from "./site/build.ts";
import type { Document } from "./site/open-api.ts";

/** The service's own document, as it is served. */
export const servedDocument = () => openApiDocument() as unknown as Document;

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: "string" }, base: { type: "string" }, version: { type: "string" } },
  });
  const out = resolve(values.out ?? join(import.meta.dirname, "../.site"));
  const base = (values.base ?? "/").replace(/\/?$/, "/");
  const options = { out, base, version: values.version, document: servedDocument(), restRoot };
  const count = await buildSite(options);
  process.stdout.write(
    `${count} pages in ${shownFolder(out)}: open ${join(shownFolder(out), "index.html")}\n`,
  );
}

if (process.argv[1] === import.meta.filename)
  run()
    // What the document is made from may hold connections open.
    .then(() => process.exit(0))
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
      process.exit(1);
    });
