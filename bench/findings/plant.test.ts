import { expect, test } from "vitest";
import { isContainerNumber, isEan13, isIban } from "./corpora/codes.ts";
import { feeds } from "./corpora/feeds.ts";
import { logistics } from "./corpora/logistics.ts";
import { shop } from "./corpora/shop.ts";
import type { CorpusDatabase } from "./corpus.ts";
import { placesIn, planted, plantedKinds } from "./plant.ts";

const clean = shop(1);
const places = placesIn(clean);
const faultsOf = (seed: number) => planted(clean, places, seed, 1).faults;

test("a seed plants the same faults again, and another seed plants others", () => {
  expect(faultsOf(4)).toEqual(faultsOf(4));
  expect(faultsOf(4)).not.toEqual(faultsOf(5));
});

test("nearly every kind has a place in a shop, and the clean database stays as it was", () => {
  const before = JSON.stringify(clean.tables.map(({ rows }) => rows));
  const kinds = faultsOf(1).map(({ kind }) => kind);
  // No text column of a shop is all numbers, in which words would be of another type, and none is loaded by the clock.
  expect(plantedKinds.filter((kind) => !kinds.includes(kind))).toEqual(["Type", "Stale", "Truncated"]);
  expect(JSON.stringify(clean.tables.map(({ rows }) => rows))).toBe(before);
});

test.each([1, 2, 3])(
  "what seed %i plants differs from the clean copy in the rows and columns it names, and nowhere else",
  (seed) => {
    const { database, faults } = planted(clean, places, seed, 1);
    for (const table of database.tables) {
      const here = faults.filter(({ tableName }) => tableName === table.name);
      // Copies shift the rows behind them.
      if (here.some(({ kind, how }) => kind === "Duplicate" && how.includes("twice"))) continue;
      const original = tableOf(clean, table.name);
      const changed = table.rows.flatMap((row, index) =>
        table.columns.flatMap(({ name }, column) =>
          row[column] === original.rows[index]?.[column] ? [] : [`${index} ${name}`],
        ),
      );
      const named = new Set(
        here.flatMap(({ columns, rows }) =>
          [...rows].flatMap((row) => columns.map((column) => `${row} ${column}`)),
        ),
      );
      expect(changed.filter((cell) => !named.has(cell))).toEqual([]);
      for (const { rows } of here)
        expect(
          changed.filter((cell) => rows.includes(Number(cell.split(" ")[0]))).length,
        ).toBeGreaterThanOrEqual(rows.length);
    }
  },
);

test("rows that were copied are at fault together with their originals", () => {
  const duplicates = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => {
    const { database, faults } = planted(clean, places, seed, 1);
    return faults
      .filter(({ how }) => how === "rows twice" || how === "a batch twice")
      .map((fault) => ({ database, fault }));
  });
  expect(duplicates.length).toBeGreaterThan(0);
  for (const { database, fault } of duplicates) {
    const counts = new Map<string, number>();
    for (const row of tableOf(database, fault.tableName).rows)
      counts.set(JSON.stringify(row), (counts.get(JSON.stringify(row)) ?? 0) + 1);
    const twice = [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
    expect(fault.rows).toHaveLength(twice);
  }
});

test("no column is at fault twice", () => {
  const columns = planted(clean, places, 2, 3)
    .faults.filter(({ kind }) => kind !== "Duplicate")
    .flatMap((fault) => fault.columns.map((column) => `${fault.tableName}.${column}`));
  expect(new Set(columns).size).toBe(columns.length);
});

test.each([1, 2, 3])(
  "of a warehouse, seed %i takes rows away when it says so, and from each table once",
  (seed) => {
    const warehouse = feeds(1);
    const { database, faults } = planted(warehouse, placesIn(warehouse), seed, 1);
    const gaps = faults.flatMap(({ gap, ...fault }) => (gap ? [{ ...fault, gap }] : []));
    expect(gaps.map(({ kind }) => kind).sort()).toEqual([
      "Stale",
      "Stale",
      "Truncated",
      "Truncated",
      "Truncated",
    ]);
    expect(new Set(gaps.map(({ tableName }) => tableName)).size).toBe(gaps.length);
    for (const { kind, tableName, columns, gap, rows } of gaps) {
      expect([...rows]).toEqual([]);
      const [before, after] = [warehouse, database].map((each) => tableOf(each, tableName).rows.length);
      expect(after).toBeLessThan(before ?? 0);
      if (kind !== "Stale") continue;
      const index = tableOf(database, tableName).columns.findIndex(({ name }) => name === columns[0]);
      // What other faults make of moments is not in the right century.
      const newest = tableOf(database, tableName)
        .rows.map((row) => Date.parse((row[index] ?? "").replace(" ", "T")))
        .filter((moment) => moment < warehouse.now)
        .reduce((a, b) => Math.max(a, b), 0);
      expect(newest).toBeLessThan(gap.to);
    }
  },
);

test("codes with check digits are right before anything is planted", () => {
  expect(isIban("DE89370400440532013000")).toBe(true);
  expect(isIban("DE89370400440532013001")).toBe(false);
  expect(isEan13("4006381333931")).toBe(true);
  expect(isEan13("4006381333932")).toBe(false);
  expect(isContainerNumber("CSQU3054383")).toBe(true);
  expect(isContainerNumber("CSQU3054384")).toBe(false);
  const database = logistics(3);
  expect(valuesOf(database, "partners", "iban").every(isIban)).toBe(true);
  expect(valuesOf(database, "articles", "ean").every(isEan13)).toBe(true);
  expect(valuesOf(database, "container_moves", "container_no").every(isContainerNumber)).toBe(true);
});

function tableOf({ tables }: CorpusDatabase, name: string) {
  const table = tables.find((each) => each.name === name);
  if (!table) throw new Error(`No table ${name}`);
  return table;
}

function valuesOf(database: CorpusDatabase, name: string, column: string): string[] {
  const { columns, rows } = tableOf(database, name);
  const index = columns.findIndex((each) => each.name === column);
  return rows.map((row) => row[index] ?? "");
}
