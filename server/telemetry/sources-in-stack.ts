import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../program-files.ts";

/** `    at name (file:///…/dist/chunks/one.js:1:234)`, also without a name, and without a scheme. */
const frame = /^(\s+at (?:async )?(?:.*? \()?)((?:file:\/\/)?[^\n]+?):(\d+):(\d+)(\)?)$/gm;

/** Where the service and its pages are built to, each file with its source map beside it. */
const built = ["dist", ".next"].map((folder) => join(packageRoot, folder));

/** What was looked up, since errors repeat. */
const known = new Map<string, string | null>();
const mostKnown = 1000;

/**
 * A stack that names the sources instead of the built files. Source maps are read for the stacks that are logged: Node itself
 * (`--enable-source-maps`) reads that of each file when it is loaded, and keeps it with the texts of all sources, some 30 MB. A
 * map takes some 30 ms, once for each place.
 */
export function withSources(stack: string, folders: readonly string[] = built): string {
  const maps = new Map<string, SourceMap | null>();
  return stack.replace(
    frame,
    (line, before: string, file: string, row: string, column: string, after: string) => {
      try {
        const path = pathOf(file);
        const isBuilt = folders.some((folder) => path.startsWith(folder + sep));
        const source = isBuilt ? sourceOf(maps, path, Number(row), Number(column)) : null;
        return source === null ? line : `${before}${source}${after}`;
      } catch {
        // A broken map, or a message that only looks like a place: what is being logged matters more than its sources.
        return line;
      }
    },
  );
}

const pathOf = (file: string) => (file.startsWith("file://") ? fileURLToPath(file) : file);

function sourceOf(
  maps: Map<string, SourceMap | null>,
  file: string,
  row: number,
  column: number,
): string | null {
  const place = `${file}:${row}:${column}`;
  const found = known.get(place);
  if (found !== undefined) return found;
  const map = maps.has(file) ? maps.get(file) : mapOf(file);
  maps.set(file, map ?? null);
  const origin = map?.findOrigin(row, column);
  const source =
    origin && "fileName" in origin && origin.fileName
      ? `${sourcePath(file, origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`
      : null;
  if (known.size >= mostKnown) known.clear();
  known.set(place, source);
  return source;
}

function mapOf(file: string): SourceMap | null {
  const name = `${file}.map`;
  return existsSync(name) ? new SourceMap(JSON.parse(readFileSync(name, "utf8"))) : null;
}

/** From the package's folder: `server/db/client.ts`. Sources are named from their built file, as parts of an address. */
const sourcePath = (file: string, source: string) =>
  relative(packageRoot, resolve(dirname(file), decodeURIComponent(source)));
