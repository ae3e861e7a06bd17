import { targetOf } from "./links.ts";

/** The menu: the groups of docs/README.md, in its order. */
export type Group = { title: string; entries: { label: string; href: string }[] };

const contents = "docs/README.md";

/** What is not listed there, and what is called otherwise in a menu. */
const overview = { label: "Overview", href: "index.html" };
const restApi = { label: "REST API reference", href: "rest-api.html" };
const last: Group = {
  title: "The project",
  entries: [
    { label: "All pages", href: "contents.html" },
    { label: "Contributing", href: "contributing.html" },
    { label: "Changelog", href: "changelog.html" },
  ],
};

/** @param text The text of docs/README.md: groups in bold, each with a table whose first column has the links. */
export function navigationOf(text: string): Group[] {
  const groups: Group[] = [];
  for (const line of text.split("\n")) {
    const title = /^\*\*(.+)\*\*$/.exec(line)?.[1];
    if (title) groups.push({ title, entries: [] });
    const [, cell = ""] = /^\|((?:[^|\\]|\\.)*)\|/.exec(line) ?? [];
    for (const [, label = "", href = ""] of cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
      const target = targetOf(contents, href);
      if (target.kind !== "page") throw new Error(`${contents}: ${href} is not a page`);
      groups.at(-1)?.entries.push(entryOf(label, target.href));
      if (target.href === "rest.html") groups.at(-1)?.entries.push(restApi);
    }
  }
  return [...groups, last];
}

const entryOf = (label: string, href: string) =>
  href === overview.href ? overview : { label: label.charAt(0).toUpperCase() + label.slice(1), href };

/** The pages before and after a page, for the links at its end. */
export function neighborsOf(groups: Group[], page: string) {
  const all = groups.flatMap(({ entries }) => entries);
  const index = all.findIndex(({ href }) => href === page);
  return index < 0 ? {} : { previous: all[index - 1], next: all[index + 1] };
}
