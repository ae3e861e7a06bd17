import { type Html, html } from "./html.ts";
import type { Heading } from "./markdown.ts";
import { type Group, neighborsOf } from "./navigation.ts";

/** The frame of every page. All addresses are relative, so the site works in any folder, and from a disk. */
export type Frame = {
  page: string;
  title: string;
  content: Html;
  headings: Heading[];
  navigation: Group[];
  /** The version, where several are side by side. */
  version?: string | undefined;
  /** The address of the newest version's pages, where the site's address is known. */
  canonical?: string | undefined;
  /** In front of addresses: "" except for the page that is shown for any address. */
  base?: string;
};

export function pageHtml(frame: Frame): string {
  const { page, title, content, headings, navigation, version, canonical, base = "" } = frame;
  const name = title === "Plumbline" ? title : `${title} · Plumbline`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
${canonical && html`<link rel="canonical" href="${canonical}${page}">\n`}<link rel="icon" href="${base}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}assets/site.css">
${version && html`<script src="../versions.js"></script>\n`}<script src="${base}assets/site.js" data-base="${base}"${version && html` data-version="${version}"`}></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to content</a>
<header>
<button type="button" class="menu-button" aria-expanded="false" aria-controls="site-menu">Menu</button>
<a class="brand" href="${base}index.html"><img src="${base}assets/icon.svg" alt="" width="24" height="24">Plumbline</a>
<div class="search" role="search">
<input type="search" id="site-search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="site-results" aria-autocomplete="list">
<div id="site-results" class="results" role="listbox" aria-label="Results" hidden></div>
<p id="site-found" class="unseen" role="status"></p>
</div>
<div class="version"></div>
<button type="button" class="theme-button">Theme</button>
</header>
<div class="columns">
<nav id="site-menu" class="menu" aria-label="Pages">
${navigation.map((group) => groupHtml(group, page, base))}</nav>
<main id="site-content" tabindex="-1">
${content}
${neighborsHtml(navigation, page, base)}</main>
${onThisPage(headings)}
</div>
</body>
</html>
`.text;
}

/** Pages that are in no menu show where they belong. */
const inMenu = (page: string) => (page.startsWith("rest-api") ? "rest-api.html" : page);

const groupHtml = ({ title, entries }: Group, page: string, base: string) => html`<h2>${title}</h2>
<ul>
${entries.map(
  ({ label, href }) =>
    html`<li><a href="${base}${href}"${inMenu(page) === href && html` aria-current="${page === href ? "page" : "true"}"`}>${label}</a></li>\n`,
)}</ul>
`;

function neighborsHtml(navigation: Group[], page: string, base: string) {
  const { previous, next } = neighborsOf(navigation, page);
  if (!previous && !next) return "";
  return html`<nav class="neighbors" aria-label="Previous and next page">
${previous && html`<a rel="prev" href="${base}${previous.href}"><span>Previous</span>${previous.label}</a>\n`}${next && html`<a rel="next" href="${base}${next.href}"><span>Next</span>${next.label}</a>\n`}</nav>
`;
}

function onThisPage(headings: Heading[]) {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return html`<div class="toc"></div>`;
  return html`<nav class="toc" aria-label="On this page">
<h2>On this page</h2>
<ul>
${shown.map(({ level, text, anchor }) => html`<li class="level-${level}"><a href="#${anchor}">${text}</a></li>\n`)}</ul>
</nav>`;
}

/** A page that leads on to another. */
export const redirectHtml = (to: string) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${to}">
<title>Plumbline</title>
</head>
<body><p><a href="${to}">Documentation of Plumbline</a></p></body>
</html>
`.text;
