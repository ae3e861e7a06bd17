import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build as bundle } from "esbuild";
import { html } from "./html.ts";
import { repositoryOf } from "./links.ts";
import { type Heading, renderMarkdown, type Section } from "./markdown.ts";
import { navigationOf } from "./navigation.ts";
import type { Document } from "./open-api.ts";
import { pageOf, sources } from "./pages.ts";
import { restPages } from "./rest-page.ts";
import { entriesOf, searchScript } from "./search-index.ts";
import { pageHtml, redirectHtml } from "./template.ts";
import { fontCss, fonts, themeCss } from "./theme.ts";
import { isVersion, versionsIn, versionsScript } from "./versions.ts";

/** Writes the whole site. */
const root = join(import.meta.dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

export type SiteOptions = {
  out: string;
  /** Where the site will be: a path or an address that ends with a slash. Needed by the page for what is not found. */
  base: string;
  version?: string | undefined;
  document: Document;
  restRoot: string;
  /** What is on the pages, if it is to be on those of several builds. */
  contents?: Contents;
};
export type Contents = { pages: Content[]; images: string[] };
type Content = {
  page: string;
  title: string;
  content: ReturnType<typeof renderMarkdown>["content"];
  headings: Heading[];
  sections: Section[];
};

/** @returns The number of pages. */
export async function buildSite(options: SiteOptions): Promise<number> {
  const { out, base, version } = options;
  if (version !== undefined && !isVersion(version)) throw new Error(`Not a version: ${version}`);
  const entries = existsSync(out) ? readdirSync(out) : [];
  const has = (name: string) => entries.includes(name);
  if (entries.length > 0 && !has("versions.js") && !has("search-index.js"))
    throw new Error(`${out} holds other files: name an empty folder`);
  if (version === undefined && has("versions.js"))
    throw new Error(`${out} holds versions: name one with --version`);
  if (version !== undefined && has("search-index.js"))
    throw new Error(`${out} holds a site without versions: name another folder`);
  if (version === undefined) return write(out, options);

  const count = await write(join(out, version), options);
  const versions = versionsIn(out);
  writeFileSync(join(out, "versions.js"), versionsScript(versions));
  if (versions.latest === version) {
    rmSync(join(out, "latest"), { recursive: true, force: true });
    cpSync(join(out, version), join(out, "latest"), { recursive: true });
    writeFileSync(join(out, "index.html"), redirectHtml("latest/index.html"));
    writeFileSync(join(out, "404.html"), notFound(`${base}latest/`));
  }
  return count;
}

const navigation = () => navigationOf(text("docs/README.md"));

/** A page for addresses that lead nowhere, which may be at any depth. */
const notFound = (base: string) =>
  pageHtml({
    ...{ page: "404.html", title: "Not found", headings: [], navigation: navigation(), base },
    content: html`<h1>Not found</h1>
<p>There is no page at this address. <a href="${base}index.html">Start at the overview</a>, or search.</p>`,
  });

async function write(folder: string, options: SiteOptions): Promise<number> {
  const { base, version } = options;
  const { pages, images } = options.contents ?? contentsOf(options);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "assets"), { recursive: true });
  if (images.length > 0) mkdirSync(join(folder, "images"));
  for (const file of images) cpSync(join(root, file), join(folder, "images", basename(file)));
  const groups = navigation();
  const frame = {
    navigation: groups,
    version,
    canonical: base === "/" ? undefined : base + (version === undefined ? "" : "latest/"),
  };
  for (const each of pages) writeFileSync(join(folder, each.page), pageHtml({ ...each, ...frame }));
  if (version === undefined) writeFileSync(join(folder, "404.html"), notFound(base));
  const entries = pages.flatMap(({ page, title, sections }) => entriesOf(page, title, sections));
  writeFileSync(join(folder, "search-index.js"), searchScript(entries));
  await writeAssets(join(folder, "assets"));
  return pages.length;
}

export function contentsOf({ document, restRoot }: Pick<SiteOptions, "document" | "restRoot">): Contents {
  const repository = repositoryOf(JSON.parse(text("package.json")));
  const images = new Set<string>();
  const pages = sources(root).map((source) => {
    const rendered = renderMarkdown(source, text(source), { repository, sizeOf });
    for (const image of rendered.images) images.add(image);
    return { ...rendered, page: pageOf(source) ?? "" };
  });
  return { pages: [...pages, ...restPages(document, restRoot)], images: [...images] };
}

/** A PNG's size is in its first bytes: pages do not jump when pictures arrive. */
function sizeOf(image: string): { width: number; height: number } {
  const bytes = readFileSync(join(root, image));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

async function writeAssets(folder: string): Promise<void> {
  const packages = [...new Set(fonts.map((font) => font.package))];
  for (const font of fonts)
    cpSync(join(root, "node_modules", font.package, "files", font.file), join(folder, font.file));
  const css = [
    ...packages.map((name) => fontCss(text(`node_modules/${name}/index.css`))),
    themeCss(text("app/globals.css")),
    text("scripts/site/site.css"),
  ];
  writeFileSync(join(folder, "site.css"), css.join("\n"));
  cpSync(join(root, "app/icon.svg"), join(folder, "icon.svg"));
  await bundle({
    entryPoints: [join(root, "scripts/site/browser.ts")],
    outfile: join(folder, "site.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    absWorkingDir: root,
    logLevel: "error",
  });
}

/** For messages. */
export const shownFolder = (out: string) => (dirname(out) === root ? basename(out) : out);
