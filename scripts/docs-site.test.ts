import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { restRoot } from "../server/doors/rest/root.ts";
import { servedDocument } from "./docs-site.ts";
import { buildSite, type Contents, contentsOf } from "./site/build.ts";
import { callsByTag } from "./site/open-api.ts";
import { type Entry, find, options } from "./site/search-index.ts";

/** The whole site, from the pages and the API as they are. */
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "plumbline-site-"));
const out = join(folder, "site");
const document = servedDocument();
const built = (more: { out: string; version?: string; base?: string; contents?: Contents }) =>
  buildSite({ base: "/", document, restRoot, ...more });

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(path, posix.join(entry.parentPath, entry.name)))
    .toSorted();
const read = (path: string) => readFileSync(path, "utf8");
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
  );

beforeAll(() => built({ out }));
afterAll(() => rmSync(folder, { recursive: true }));

test("each page of docs is there, with its title and in the menu", () => {
  const docs = readdirSync(join(root, "docs")).filter((name) => /^(?!README).*\.md$/.test(name));
  expect(docs.length).toBeGreaterThan(40);
  const menu = attributes(read(join(out, "index.html")).split("<main")[0] ?? "", "href");
  for (const name of docs) {
    const page = name.replace(".md", ".html");
    const title = /^# (.+)$/m.exec(read(join(root, "docs", name)))?.[1]?.replaceAll(/[`*]/g, "");
    const text = read(join(out, page)).replaceAll("&#39;", "'");
    expect([page, text.includes(`<title>${title} · Plumbline</title>`)]).toEqual([page, true]);
    expect(menu).toContain(page);
  }
});

/** Links of all pages that lead to no file, or to no element of it. */
function broken(site: string): string[] {
  const files = filesIn(site);
  const pages = files.filter((file) => file.endsWith(".html"));
  const texts = new Map(pages.map((page) => [page, read(join(site, page))]));
  const ids = new Map([...texts].map(([page, text]) => [page, new Set(attributes(text, "id"))]));
  return pages.flatMap((page) => {
    const text = texts.get(page) ?? "";
    const links = [...attributes(text, "href"), ...attributes(text, "src")];
    return links
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : posix.join(path.startsWith("/") ? "" : posix.dirname(page), path);
        const file = target.replace(/^\//, "");
        if (!files.includes(file)) return true;
        return anchor !== undefined && !ids.get(file)?.has(decodeURIComponent(anchor));
      })
      .map((link) => `${page} → ${link}`);
  });
}

test("every link and anchor of every page leads somewhere", () => {
  expect(broken(out)).toEqual([]);
});

test("an element's id is on a page once", () => {
  for (const page of filesIn(out).filter((file) => file.endsWith(".html"))) {
    const ids = attributes(read(join(out, page)), "id");
    expect([page, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([page, []]);
  }
});

test("no page loads anything from elsewhere, and none has a script within", () => {
  const loading = /<(?:script|img|source|iframe|link|video|audio|embed|object)\b[^>]*>/g;
  for (const file of filesIn(out).filter((each) => each.endsWith(".html"))) {
    const tags = read(join(out, file)).match(loading) ?? [];
    expect([file, tags.filter((tag) => /(?:src|href|srcset|data)="(?:\w+:)?\/\//.test(tag))]).toEqual([
      file,
      [],
    ]);
    expect([file, tags.filter((tag) => /^<script(?! src=)/.test(tag))]).toEqual([file, []]);
  }
  const css = read(join(out, "assets/site.css"));
  const urls = [...css.matchAll(/url\(([^)]+)\)/g)].map(([, url = ""]) => url);
  expect(urls.length).toBe(4);
  expect(urls.filter((url) => !filesIn(join(out, "assets")).includes(posix.normalize(url)))).toEqual([]);
  expect(css).not.toContain("@import");
  expect(read(join(out, "assets/site.js"))).not.toMatch(/https?:\/\/|XMLHttpRequest|WebSocket|sendBeacon/);
  expect(read(join(root, "scripts/site/browser.ts"))).not.toMatch(/\bfetch\(|\bimport\(/);
});

test("the reference has every operation of the API, with its path and an example", () => {
  const overview = read(join(out, "rest-api.html"));
  const calls = [...callsByTag(document).values()].flat();
  expect(calls.length).toBeGreaterThan(200);
  const all = filesIn(out)
    .filter((file) => file.startsWith("rest-api-"))
    .map((file) => read(join(out, file)))
    .join("");
  for (const { path, operation } of calls) {
    expect(overview).toContain(`#${operation.operationId}"`);
    expect(all).toContain(`<h2 id="${operation.operationId}">`);
    expect(all).toContain(`</b> ${path}</code>`);
  }
  expect(all.match(/curl -sS/g)?.length).toBeGreaterThanOrEqual(calls.length);
});

test.each([
  ["maintenance window", "incidents.html#maintenance"],
  ["rotate encryption key", "security.html"],
  ["terraform import", "terraform.html"],
  ["quiet hours", "profile.html"],
  ["ODCS", "contracts-as-code.html"],
  ["POST recipients create", "rest-api-recipients.html#recipients.create"],
])("a search for %s finds %s", (words, url) => {
  const script = read(join(out, "search-index.js"));
  const json = JSON.parse(script.slice(script.indexOf("=") + 1, script.lastIndexOf(";")));
  const found = find(MiniSearch.loadJSON<Entry>(json, options), words);
  const first = found.slice(0, 5).map((each) => each.url);
  expect(first.some((each) => each.startsWith(url)) || first).toBe(true);
});

test("building again writes the same files, and what an earlier build left is gone", async () => {
  const again = join(folder, "again");
  mkdirSync(again);
  for (const name of ["search-index.js", "old.html"]) writeFileSync(join(again, name), "");
  await built({ out: again });
  const contents = (site: string) =>
    filesIn(site).map((file) => [file, readFileSync(join(site, file)).toString("base64")]);
  expect(contents(again)).toEqual(contents(out));
});

test("versions stay side by side, and latest is the newest", async () => {
  const versions = join(folder, "versions");
  const base = "/plumbline/";
  const contents = contentsOf({ document, restRoot });
  await built({ out: versions, version: "0.2.0", base, contents });
  const before = read(join(versions, "0.2.0/rest.html"));
  await built({ out: versions, version: "0.1.0", base, contents });
  expect(readdirSync(versions).toSorted()).toEqual([
    "0.1.0",
    "0.2.0",
    "404.html",
    "index.html",
    "latest",
    "versions.js",
  ]);
  expect(read(join(versions, "0.2.0/rest.html"))).toBe(before);
  expect(read(join(versions, "latest/rest.html"))).toBe(before);
  expect(before).toContain('<script src="../versions.js"></script>');
  expect(before).toContain('data-version="0.2.0"');
  expect(before).toContain('<link rel="canonical" href="/plumbline/latest/rest.html">');
  const listed = JSON.parse(read(join(versions, "versions.js")).replace(/^.*?=|;\n$/gs, ""));
  expect(listed.latest).toBe("0.2.0");
  expect(listed.versions.map(({ version }: { version: string }) => version)).toEqual(["0.2.0", "0.1.0"]);
  expect(read(join(versions, "index.html"))).toContain("url=latest/index.html");
  // The page for what is not found is shown at any depth, so its addresses begin at the site's root.
  const links = attributes(read(join(versions, "404.html")), "href").filter((link) => !link.startsWith("#"));
  expect(links.filter((link) => !link.startsWith("/plumbline/latest/"))).toEqual([]);

  await expect(built({ out: versions })).rejects.toThrow("holds versions");
  await expect(built({ out, version: "0.1.0" })).rejects.toThrow("without versions");
  await expect(built({ out: versions, version: "../x" })).rejects.toThrow("Not a version");
});

test("a folder with other files is left alone", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "mine.txt"), "mine");
  await expect(built({ out: other })).rejects.toThrow("holds other files");
  expect(filesIn(other)).toEqual(["mine.txt"]);
});
