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

test.each(made)("each row of %s has what its table says", (_, make) => {
  expect(faultsOf(make(1))).toEqual([]);
});

const keysOf = ({ columns, rows }: CorpusTable) =>
  columns.flatMap(({ name, isDeclared, references }, index) =>
    isDeclared && !references ? [{ name, values: rows.map((row) => row[index]) }] : [],
  );

test.each(made)("keys that %s declares are unique", (_, make) => {
  for (const table of make(2).tables)
    for (const { name, values } of keysOf(table))
      expect(new Set(values).size, `${table.name}.${name}`).toBe(values.length);
});

test.each(Object.keys(unseen))("%s has no weights fitted to it", (name) => {
  expect(Object.keys(ownMaking)).not.toContain(name);
});
