import MiniSearch from "minisearch";
import type { Entry } from "./search-index.ts";
import { find, options } from "./search-index.ts";
import type { Versions } from "./versions.ts";

/** The one script of the site: theme, menu, copy buttons, search, and versions. It runs before the page is drawn. */
declare global {
  var searchIndex: string | undefined;
  var siteVersions: Versions | undefined;
}

const root = document.documentElement;
const { base = "", version } = document.currentScript?.dataset ?? {};
const get = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector) as Kind;

root.dataset.scripts = "";

/** Where a browser allows no storage, the choice lasts for the page. */
function stored(theme?: string): string | undefined {
  try {
    if (theme) localStorage.setItem("plumbline-docs-theme", theme);
    return localStorage.getItem("plumbline-docs-theme") ?? undefined;
  } catch {
    return theme;
  }
}

const themeNow = () =>
  root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

const kept = stored();
if (kept === "dark" || kept === "light") root.dataset.theme = kept;

function setUpTheme(): void {
  const button = get(".theme-button");
  const label = () => {
    button.textContent = themeNow() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to the ${themeNow() === "dark" ? "light" : "dark"} theme`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = themeNow() === "dark" ? "light" : "dark";
    stored(root.dataset.theme);
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
}

function setUpMenu(): void {
  const button = get(".menu-button");
  button.addEventListener("click", () => {
    const isOpen = root.toggleAttribute("data-menu");
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) scrollTo(0, 0);
  });
  const current = document.querySelector<HTMLElement>(".menu [aria-current]");
  const menu = get(".menu");
  if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
}

function setUpCopying(): void {
  document.addEventListener("click", async ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(".copy")) return;
    const code = target.closest(".code")?.querySelector("pre");
    target.textContent = code && (await copied(code)) ? "Copied" : "Not copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 2000);
  });
}

/** Browsers offer the clipboard to pages from a disk only by the selection. */
async function copied(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    const isCopied = document.execCommand("copy");
    getSelection()?.removeAllRanges();
    return isCopied;
  }
}

/** The index is loaded by the first search, as a script: a page from a disk may fetch nothing. */
let loading: Promise<MiniSearch<Entry>> | undefined;
const loadIndex = () => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}search-index.js`;
    script.onload = () => resolve(MiniSearch.loadJSON(globalThis.searchIndex ?? "{}", options));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
};

function setUpSearch(): void {
  const input = get<HTMLInputElement>("#site-search");
  const results = get(".results");
  const status = get("#site-found");
  let selected = -1;
  const links = () => [...results.querySelectorAll("a")];

  function close(): void {
    results.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function select(index: number): void {
    selected = index;
    for (const [at, link] of links().entries()) link.setAttribute("aria-selected", String(at === index));
    const link = links()[index];
    input.removeAttribute("aria-activedescendant");
    if (!link) return;
    link.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", link.id);
  }

  async function show(): Promise<void> {
    const words = input.value.trim();
    if (words === "") return close();
    const index = await loadIndex().catch(() => undefined);
    // The words have changed while the index was loaded.
    if (words !== input.value.trim()) return;
    const found = index ? find(index, words) : [];
    results.replaceChildren(...found.map(resultOf));
    if (found.length === 0) results.append(nothing(words, index !== undefined));
    status.textContent = found.length === 0 ? "No results" : `${found.length} results`;
    results.hidden = false;
    input.setAttribute("aria-expanded", "true");
    select(found.length > 0 ? 0 : -1);
  }

  input.addEventListener("focus", () => void loadIndex().catch(() => undefined), { once: true });
  input.addEventListener("input", () => void show());
  input.addEventListener("keydown", (event) => {
    const count = links().length;
    if (event.key === "Escape") close();
    if (event.key === "Enter") links()[selected]?.click();
    if (count > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      select((selected + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Node) || !get(".search").contains(target)) close();
    else if (target instanceof Element && target.closest(".results a")) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

function resultOf({ url, title, heading, excerpt }: ReturnType<typeof find>[number], index: number) {
  const link = document.createElement("a");
  link.href = base + url;
  link.id = `site-result-${index}`;
  link.role = "option";
  link.tabIndex = -1;
  const name = document.createElement("b");
  name.textContent = heading === title ? title : `${title} › ${heading}`;
  link.append(name, excerpt);
  return link;
}

function nothing(words: string, hasIndex: boolean) {
  const text = document.createElement("p");
  text.role = "option";
  text.ariaDisabled = "true";
  text.textContent = hasIndex ? `Nothing found for “${words}”.` : "The search index could not be loaded.";
  return text;
}

function setUpVersions(): void {
  const versions = globalThis.siteVersions;
  if (!version || !versions) return;
  const select = document.createElement("select");
  select.ariaLabel = "Version";
  const page = location.pathname.split("/").at(-1) ?? "";
  for (const each of versions.versions) {
    const text = each.version === versions.latest ? `${each.version} (latest)` : each.version;
    select.append(new Option(text, each.version, false, each.version === version));
  }
  select.addEventListener("change", () => {
    const wanted = versions.versions.find((each) => each.version === select.value);
    const target = wanted?.pages.includes(page) ? page : "index.html";
    const folder = select.value === versions.latest ? "latest" : select.value;
    location.href = `../${folder}/${target}`;
  });
  get(".version").append(select);
}

document.addEventListener("DOMContentLoaded", () => {
  setUpTheme();
  setUpMenu();
  setUpCopying();
  setUpSearch();
  setUpVersions();
});
