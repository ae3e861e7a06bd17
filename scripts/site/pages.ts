import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Which files of the repository are pages, and what each is called on the site. */

/** Pages outside of `docs/`, by their path. */
const named: Record<string, string> = {
  "README.md": "index.html",
  "docs/README.md": "contents.html",
  "CHANGELOG.md": "changelog.html",
  "CONTRIBUTING.md": "contributing.html",
};

/** The page of a file, such as `findings.html` for `docs/findings.md`; undefined for files that are not pages. */
export const pageOf = (source: string): string | undefined =>
  Object.hasOwn(named, source) ? named[source] : /^docs\/([\w-]+)\.md$/.exec(source)?.[1]?.concat(".html");

/** The files that are pages, below `root`. */
export const sources = (root: string): string[] => [
  ...new Set([
    ...Object.keys(named),
    ...readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .toSorted()
      .map((name) => `docs/${name}`),
  ]),
];
