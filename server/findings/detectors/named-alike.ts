import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { wordsOf } from "../names.ts";

/** A column that others may point to, with its table. */
export type Key = { table: ObservedTable; column: ObservedColumn };

/**
 * Keys by what their names begin and end with, so that a column is compared with those that its name may mean, and not with
 * all of thousands of tables. What it leaves out has a `nameMatch` of 0. Keys are meant by their places.
 */
export class NamedAlike {
  readonly #byTag = new Map<string, number[]>();
  readonly #ofTable = new Map<ObservedTable, number[]>();

  constructor(keys: readonly Key[]) {
    for (const [place, { table, column }] of keys.entries()) {
      for (const tag of keyTags(wordsOf(column.name), wordsOf(table.tableName))) add(this.#byTag, tag, place);
      add(this.#ofTable, table, place);
    }
  }

  /** The keys that a column may be named after, and those of its own table. */
  of(table: ObservedTable, { name }: ObservedColumn): ReadonlySet<number> {
    const places = new Set(this.#ofTable.get(table));
    for (const tag of columnTags(wordsOf(name)))
      for (const place of this.#byTag.get(tag) ?? []) places.add(place);
    return places;
  }
}

export function add<Of>(places: Map<Of, number[]>, of: Of, place: number): void {
  const before = places.get(of);
  if (before) before.push(place);
  else places.set(of, [place]);
}

/** A key of several words by its last, each as a whole; the table by how each of its last words begins. */
const keyTags = (key: readonly string[], table: readonly string[]): ReadonlySet<string> =>
  new Set([...(key.length === 1 ? [] : [lastTag(key)]), ...wholeTags(key), ...beginningsIn(table)]);

/** The same of a column; its last word may be the key's, and the thing before it shorter than three letters. */
const columnTags = (column: readonly string[]): ReadonlySet<string> =>
  new Set([
    lastTag(column),
    ...wholeTags(column),
    ...beginningsIn(column),
    ...beginningsIn(column.slice(0, -1)),
  ]);

const lastTag = (words: readonly string[]) => `last ${words.at(-1) ?? ""}`;

/** The name without what is between its words, and the end of a name of one word, which may be a key of one word. */
function wholeTags(words: readonly string[]): string[] {
  const whole = words.join("");
  return [`all ${whole}`, ...(words.length === 1 && whole.length >= 5 ? [`end ${whole.slice(-5)}`] : [])];
}

/** Two names of one thing begin with the same three letters. */
const beginningsIn = (words: readonly string[]): string[] =>
  words.map((_, from) => `thing ${words.slice(from).join("").slice(0, 3)}`);
