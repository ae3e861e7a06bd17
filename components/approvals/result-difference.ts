import { diffArrays } from "diff";
import type { Preview } from "@/server/queries/schema.ts";

/** Column indexes by row index, for cells that differ. */
export type Marks = ReadonlyMap<number, ReadonlySet<number>>;

export type ResultDifference = {
  columns: { gone: string[]; added: string[]; retyped: { name: string; was: string; is: string }[] };
  /** Row counts; a row that differs in every value counts as one removed and one added. */
  rows: { changed: number; gone: number; added: number };
  /** The same rows in a different order; nothing is marked then. */
  isReordered: boolean;
  before: Marks;
  after: Marks;
};

type Result = Pick<Preview, "columns" | "rows">;

/** Beyond this many insertions and deletions, rows are compared by position. */
const maxEdits = 1000;

/**
 * The differences between two results. Columns match by name, and by order among equal names. Rows are aligned with
 * a text diff over the columns that both results have.
 */
export function resultDifference(before: Result, after: Result): ResultDifference {
  const pairs = columnPairs(before.columns, after.columns);
  const columns = {
    gone: namesBesides(
      before.columns,
      pairs.map(([was]) => was),
    ),
    added: namesBesides(
      after.columns,
      pairs.map(([, is]) => is),
    ),
    retyped: pairs.flatMap(([was, is]) => {
      const [old, now] = [before.columns[was], after.columns[is]];
      return old && now && old.type !== now.type ? [{ name: now.name, was: old.type, is: now.type }] : [];
    }),
  };
  const keysBefore = before.rows.map((row) => JSON.stringify(pairs.map(([was]) => row[was] ?? null)));
  const keysAfter = after.rows.map((row) => JSON.stringify(pairs.map(([, is]) => row[is] ?? null)));
  const marks = { before: new Map<number, Set<number>>(), after: new Map<number, Set<number>>() };
  const rows = { changed: 0, gone: 0, added: 0 };
  const isSame = sameTexts(keysBefore, keysAfter);
  const isReordered = !isSame && sameTexts(keysBefore.toSorted(), keysAfter.toSorted());
  if (isSame || isReordered || pairs.length === 0) return { columns, rows, isReordered, ...marks };

  const goneRow = (index: number) => {
    rows.gone++;
    marks.before.set(index, new Set(pairs.map(([was]) => was)));
  };
  const addedRow = (index: number) => {
    rows.added++;
    marks.after.set(index, new Set(pairs.map(([, is]) => is)));
  };
  for (const { removed, added } of replacements(keysBefore, keysAfter)) {
    for (let place = 0; place < Math.max(removed.length, added.length); place++) {
      const [was, is] = [removed[place], added[place]];
      const changed =
        was === undefined || is === undefined
          ? []
          : pairs.filter(([from, to]) => before.rows[was]?.[from] !== after.rows[is]?.[to]);
      if (was !== undefined && is !== undefined && changed.length < pairs.length) {
        if (changed.length === 0) continue;
        rows.changed++;
        marks.before.set(was, new Set(changed.map(([from]) => from)));
        marks.after.set(is, new Set(changed.map(([, to]) => to)));
        continue;
      }
      if (was !== undefined) goneRow(was);
      if (is !== undefined) addedRow(is);
    }
  }
  return { columns, rows, isReordered, ...marks };
}

type Columns = Preview["columns"];

function columnPairs(before: Columns, after: Columns): [was: number, is: number][] {
  const taken = new Set<number>();
  return before.flatMap(({ name }, was): [number, number][] => {
    const is = after.findIndex((column, place) => column.name === name && !taken.has(place));
    if (is < 0) return [];
    taken.add(is);
    return [[was, is]];
  });
}

const namesBesides = (columns: Columns, places: readonly number[]): string[] =>
  columns.filter((_, place) => !places.includes(place)).map(({ name }) => name);

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, place) => text === others[place]);

/** Where the two lists differ: positions in both. */
function replacements(before: string[], after: string[]): { removed: number[]; added: number[] }[] {
  const changes = diffArrays(before, after, { maxEditLength: maxEdits });
  if (!changes) return [{ removed: [...before.keys()], added: [...after.keys()] }];
  const found: { removed: number[]; added: number[] }[] = [];
  let [was, is] = [0, 0];
  let open = false;
  for (const { count, removed, added } of changes) {
    if (!removed && !added) {
      was += count;
      is += count;
      open = false;
      continue;
    }
    if (!open) found.push({ removed: [], added: [] });
    open = true;
    const last = found.at(-1);
    for (let done = 0; done < count; done++)
      if (removed) last?.removed.push(was++);
      else last?.added.push(is++);
  }
  return found;
}
