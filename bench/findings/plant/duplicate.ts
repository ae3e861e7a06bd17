import { isNamedLikeKey } from "../../../server/findings/names.ts";
import type { Row } from "../corpus.ts";
import { some } from "../draw.ts";
import {
  type CleanColumn,
  type CleanTable,
  chosen,
  isUnique,
  type Place,
  type Planter,
  shapeOf,
} from "./place.ts";

/** A key twice, or rows that were loaded twice: one here and there, or a batch, also with numbers of their own. */
export const plantDuplicate: Planter = (table) => {
  const keys = table.cells.filter((column) => isUnique(column) && !column.isDeclared && isLikeKey(column));
  return [...keys.map(keyTwice), ...rowsTwice(table, keys)];
};

function isLikeKey({ index, name, kind, observed }: CleanColumn): boolean {
  if (kind === "uuid") return true;
  if (kind === "text" && index === 0)
    return new Set(observed.values.map(shapeOf)).size <= 4 || isNamedLikeKey(name);
  return (
    (kind === "integer" && index === 0) || ((kind === "integer" || kind === "text") && isNamedLikeKey(name))
  );
}

const keyTwice = ({ name, index }: CleanColumn): Place => ({
  columns: [name],
  how: "a key twice",
  apply: (rows, random) => {
    const [taken = [], ...others] = some(random, rows, random.between(2, 5));
    for (const row of others) row[index] = taken[index] ?? null;
    return [taken, ...others];
  },
});

function rowsTwice({ cells, rows: clean }: CleanTable, keys: CleanColumn[]): Place[] {
  if (cells.length < 3 || cells.some(({ isDeclared, references }) => isDeclared && !references)) return [];
  const differ = (columns: CleanColumn[]) =>
    columns.length > 1 &&
    new Set(clean.map((row) => columns.map(({ index }) => row[index]).join("\u0000"))).size === clean.length;
  const names = (columns: CleanColumn[]) => columns.map(({ name }) => name);
  const places: Place[] = [];
  if (differ(cells))
    places.push(
      {
        columns: names(cells),
        how: "rows twice",
        apply: (rows, random) =>
          again(chosen(rows, random, rows.length), (row) =>
            rows.splice(random.between(0, rows.length), 0, row),
          ),
      },
      {
        columns: names(cells),
        how: "a batch twice",
        apply: (rows, random) => again(batch(rows, random.next()), (copy) => rows.push(copy)),
      },
    );
  const [key] = keys;
  const others = cells.filter((column) => column !== key);
  if (key?.kind === "integer" && differ(others))
    places.push({
      columns: names(others),
      how: `rows twice under another ${key.name}`,
      apply: (rows, random) => {
        let next = Math.max(...clean.map((row) => Number(row[key.index])));
        return again(chosen(rows, random, rows.length), (copy) => {
          next += 1;
          copy[key.index] = String(next);
          rows.push(copy);
        });
      },
    });
  return places;
}

function batch(rows: Row[], at: number): Row[] {
  const size = Math.max(5, Math.round(rows.length * 0.008));
  const start = Math.floor(at * (rows.length - size));
  return rows.slice(start, start + size);
}

/** Both the rows and their copies are at fault. */
const again = (originals: Row[], add: (copy: Row) => void): Row[] =>
  originals.flatMap((row) => {
    const copy = [...row];
    add(copy);
    return [row, copy];
  });
