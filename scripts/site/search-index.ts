import MiniSearch, { type Options } from "minisearch";
import type { Section } from "./markdown.ts";

/** The search index: made when the site is built, and read in the browser with the same options. */
export type Entry = {
  id: number;
  url: string;
  title: string;
  heading: string;
  text: string;
  excerpt: string;
};
export type Found = Pick<Entry, "url" | "title" | "heading" | "excerpt">;

export const options: Options<Entry> = {
  fields: ["heading", "title", "text"],
  storeFields: ["url", "title", "heading", "excerpt"],
  searchOptions: {
    combineWith: "AND",
    prefix: true,
    // A typing error in a longer word.
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    boost: { heading: 4, title: 2 },
    // Whoever asks about a thing gets the page that explains it before the operations that have its name.
    boostDocument: (_id, _term, stored) => (isAside(String(stored?.url)) ? 0.25 : 1),
  },
};

const isAside = (url: string) => /^(rest-api|contents|changelog|contributing)/.test(url);

const maxExcerpt = 160;

/** One page's entries, one for each heading. */
export const entriesOf = (page: string, title: string, sections: Section[]): Omit<Entry, "id">[] =>
  sections.map(({ heading, anchor, text }, index) => ({
    url: index === 0 ? page : `${page}#${anchor}`,
    ...{ title, heading, text },
    excerpt: excerptOf(text),
  }));

function excerptOf(text: string): string {
  if (text.length <= maxExcerpt) return text;
  const end = text.lastIndexOf(" ", maxExcerpt);
  return `${text.slice(0, end > 0 ? end : maxExcerpt)} …`;
}

/** The index as a script: a page opened from a folder may load scripts, but no data. */
export function searchScript(entries: Omit<Entry, "id">[]): string {
  const index = new MiniSearch<Entry>(options);
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return `globalThis.searchIndex=${JSON.stringify(JSON.stringify(index))};\n`;
}

export const find = (index: MiniSearch<Entry>, words: string): Found[] =>
  index.search(words).slice(0, 20) as unknown as Found[];
