import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fontCss, themeCss } from "./theme.ts";
import { isVersion, newestFirst, versionsIn } from "./versions.ts";

/** Versions side by side, and the style sheet's colors. */

test("versions by number, and a release before its previews", () => {
  const sorted = ["0.9.0", "0.10.0", "1.0.0-rc.2", "1.0.0", "1.0.0-rc.10"].toSorted(newestFirst);
  expect(sorted).toEqual(["1.0.0", "1.0.0-rc.10", "1.0.0-rc.2", "0.10.0", "0.9.0"]);
  expect(["0.1.0", "1.2.3-beta.1"].every(isVersion)).toBe(true);
  expect(["latest", "1.0", "../1.0.0", "1.0.0/x"].some(isVersion)).toBe(false);
});

test("the folders that are versions, with their pages; a preview is not the latest", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-versions-"));
  for (const name of ["0.1.0", "0.2.0", "0.3.0-rc.1", "latest", "other"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `page-${name}.html`), "");
    writeFileSync(join(folder, name, "search-index.js"), "");
  }
  const { latest, versions } = versionsIn(folder);
  rmSync(folder, { recursive: true });
  expect(latest).toBe("0.2.0");
  expect(versions).toEqual([
    { version: "0.3.0-rc.1", pages: ["page-0.3.0-rc.1.html"] },
    { version: "0.2.0", pages: ["page-0.2.0.html"] },
    { version: "0.1.0", pages: ["page-0.1.0.html"] },
  ]);
  expect(versionsIn(join(folder, "nowhere"))).toEqual({ latest: "", versions: [] });
});

test("colors are the console's, in both themes, by the machine's choice and by the reader's", () => {
  const css = themeCss(
    ':root {\n  --ink: #111111;\n}\n[data-theme="dark"] {\n  --ink: #eeeeee;\n}\n@theme {\n  --font-sans: "A", sans-serif;\n}\n',
  );
  expect(css).toContain(':root {\n  --ink: #111111;\n  --font-sans: "A", sans-serif;\n}');
  expect(css).toContain(':root[data-theme="dark"] {\n  --ink: #eeeeee;\n}');
  expect(css).toContain(
    '@media (prefers-color-scheme: dark) {\n:root:not([data-theme="light"]) {\n  --ink: #eeeeee;\n}\n}',
  );
  expect(() => themeCss("body {}")).toThrow("has no");
});

test("only the fonts that are copied are loaded, from beside the style sheet", () => {
  const css = fontCss(
    "@font-face { src: url(./files/inter-latin-wght-normal.woff2); }\n@font-face { src: url(./files/inter-greek-wght-normal.woff2); }",
  );
  expect(css).toBe("@font-face { src: url(./inter-latin-wght-normal.woff2); }");
});
