import { expect, test } from "vitest";
import type { CorpusDatabase, CorpusTable } from "../corpus.ts";
import { ownMaking, unseen } from "./all.ts";

const made = Object.entries({ ...ownMaking, ...unseen });

const faultsOf = ({ tables }: CorpusDatabase): string[] =>
  tables.flatMap(({ name, columns, rows }) => [
    ...columns.flatMap(({ name: column, references }) => {
      const parent = tables.find((table) => table.name === references?.table);
      const isThere = !references || parent?.columns.some((each) => each.name === references.column);
      return isThere ? [] : [`${name}.${column} points to ${references?.table}.${references?.column}`];
    }),
    ...rows
      .filter((row) => row.length !== columns.length)
      .map((row) => `${name} has a row of ${row.length} values for ${columns.length} columns`),
    ...rows.flat().flatMap((cell) => (isBroken(cell) ? [`${name} has “${cell}”`] : [])),
  ]);
/** What a slip in making them leaves behind. */
const isBroken = (cell: string | null) => cell !== null && /\b(NaN|undefined|Invalid Date)\b/.test(cell);

const keysOf = ({ columns, rows }: CorpusTable) =>
  columns.flatMap(({ name, isDeclared, references }, index) =>
    isDeclared && !references ? [{ name, values: rows.map((row) => row[index]) }] : [],
  );

let last: { name: string; database: CorpusDatabase } | null = null;
/** Made once for the tests of one, and not kept for those of the next: together they take a lot of memory. */
function databaseOf(name: string, make: (seed: number) => CorpusDatabase): CorpusDatabase {
  if (last?.name !== name) last = { name, database: make(1) };
  return last.database;
}

for (const [name, make] of made) {
  test(`each row of ${name} has what its table says`, () => {
    expect(faultsOf(databaseOf(name, make))).toEqual([]);
  });

  test(`keys that ${name} declares are unique`, () => {
    for (const table of databaseOf(name, make).tables)
      for (const key of keysOf(table))
        expect(new Set(key.values).size, `${table.name}.${key.name}`).toBe(key.values.length);
  });
}

test.each(Object.keys(unseen))("%s has no weights fitted to it", (name) => {
  expect(Object.keys(ownMaking)).not.toContain(name);
});
