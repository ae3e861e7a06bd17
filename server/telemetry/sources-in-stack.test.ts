import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../program-files.ts";
import { withSources } from "./sources-in-stack.ts";

/** Where an error is thrown in a built file, in whose source it is in line 4, column 9. */
let column: number;
const folder = mkdtempSync(join(tmpdir(), "stack [of] "));
const outfile = join(folder, "built.mjs");

beforeAll(async () => {
  const source = join(folder, "thrower.ts");
  writeFileSync(
    source,
    [
      "// First",
      "export function fail(): never {",
      "  const text: string = 'no';",
      "  throw new Error(text);",
      "}",
    ].join("\n"),
  );
  await build({
    ...{ entryPoints: [source], outfile, format: "esm", logLevel: "error" },
    ...{ minifyWhitespace: true, sourcemap: true, sourcesContent: false },
  });
  // As Node counts it: from one, and all is in the first line.
  column = readFileSync(outfile, "utf8").indexOf("new Error") + 1;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As Node names a place in it without source maps: everything is in the first line. */
const builtFrame = (file: string, column: number) =>
  `Error: no\n    at fail (${file}:1:${column})\n    at other (node:fs:1:2)`;
const sourceFile = relative(packageRoot, join(folder, "thrower.ts"));

test("a stack names the source of a built file, and leaves other lines as they are", () => {
  const frame = builtFrame(outfile, column);
  expect(withSources(frame, [folder])).toBe(
    `Error: no\n    at fail (${sourceFile}:4:9)\n    at other (node:fs:1:2)`,
  );
  const url = frame.replace(outfile, `file://${encodeURI(outfile)}`).replace("at fail (", "at async fail (");
  expect(withSources(url, [folder])).toContain(`at async fail (${sourceFile}:4:9)`);
  const unnamed = `Error: no\n    at ${outfile}:1:${column}`;
  expect(withSources(unnamed, [folder])).toBe(`Error: no\n    at ${sourceFile}:4:9`);
});

test("a broken source map, and a message that names no file, never keep an error from being logged", () => {
  writeFileSync(join(folder, "broken.mjs.map"), "{");
  for (const file of [join(folder, "broken.mjs"), "file://elsewhere/a.mjs", "file:///%zz/a.mjs"]) {
    const stack = builtFrame(file, 20);
    expect(withSources(stack, [folder])).toBe(stack);
  }
});

test("files of others, without a source map, or that are not there stay as they are", () => {
  for (const stack of [builtFrame(outfile, 20), builtFrame(join(folder, "unmapped.mjs"), 20)])
    expect(withSources(stack, [join(folder, "elsewhere")])).toBe(stack);
  writeFileSync(join(folder, "unmapped.mjs"), "");
  for (const name of ["unmapped.mjs", "missing.mjs"]) {
    const stack = builtFrame(join(folder, name), 20);
    expect(withSources(stack, [folder])).toBe(stack);
  }
});
