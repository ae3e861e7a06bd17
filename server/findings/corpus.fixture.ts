import { expect } from "vitest";
import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { type ObservedTable, observe } from "../profile/observed-table.ts";
import type { Candidate, Detector, ObservedDatabase } from "./candidate.ts";
import { lookupIn, rowsAgainst } from "./condition.ts";
import { randomFrom } from "./random.fixture.ts";

/** Data for the tests of detectors: made by chance, and the same for the same seed. */

export type Random = {
  /** From 0 to 1, without 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(of: readonly T[]): T;
  /** With mean 0 and deviation 1. */
  normal(): number;
  poisson(mean: number): number;
};

export function randomOf(seed: number): Random {
  const { next, below, normal, chance, pick } = randomFrom(seed);
  return {
    next,
    normal,
    chance,
    pick,
    whole: (low, high) => low + below(high - low + 1),
    poisson: (mean) => {
      if (mean > 50) return Math.max(0, Math.round(mean + normal() * Math.sqrt(mean)));
      let [count, product] = [0, next()];
      for (const limit = Math.exp(-mean); product > limit; count++) product *= next();
      return count;
    },
  };
}

export type Cell = string | number | boolean | null;
type Facts = Partial<Omit<ColumnFacts, "name" | "kind">>;

/** A table by its columns: `tableOf("orders", { id: ["integer", [1, 2]], total: ["decimal", ["9.90", null]] })`. */
export function tableOf(
  tableName: string,
  columns: Readonly<Record<string, readonly [kind: ColumnKind, cells: readonly Cell[], facts?: Facts]>>,
  options: { schemaName?: string; isWhole?: boolean; totalRows?: number } = {},
): ObservedTable {
  const list = Object.entries(columns).map(([name, [kind, cells, facts]]) => ({ name, kind, cells, facts }));
  const length = Math.max(0, ...list.map(({ cells }) => cells.length));
  return observe(
    {
      schemaName: options.schemaName ?? "public",
      tableName,
      columns: list.map(({ name, kind, facts }) => ({
        name,
        type: kind,
        kind,
        isNullable: true,
        isPrimaryKey: false,
        ...facts,
      })),
    },
    Array.from({ length }, (_, row) => list.map(({ cells }) => cells[row] ?? null)),
    options,
  );
}

/** The tables as a database that was read at the end of 2026. */
export const databaseOf = (...tables: ObservedTable[]): ObservedDatabase => ({
  tables,
  now: Date.UTC(2026, 11, 31),
});

/** What a detector says of a database; each of its conditions must select exactly the rows that it shows. */
export function saidBy(detect: Detector, database: ObservedDatabase): Candidate[] {
  const candidates = database.tables.flatMap((table) => detect(table, database));
  for (const { condition, table, rows, features, statement } of candidates) {
    if (condition)
      expect([...rowsAgainst(condition, table, lookupIn(database.tables))], statement).toEqual([...rows]);
    else expect([...rows], statement).toEqual([]);
    for (const [name, feature] of Object.entries(features))
      expect(feature >= 0 && feature <= 1, `${name} is ${feature}: ${statement}`).toBe(true);
  }
  return candidates;
}

const day = 86_400_000;
/** `2024-05-01` so many days later. */
export const dayAfter = (start: string, days: number): string =>
  new Date(Date.parse(`${start}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
/** `2024-05-01 00:00:00` so many seconds later. */
export const momentAfter = (start: string, seconds: number): string =>
  new Date(Date.parse(`${start}T00:00:00Z`) + Math.floor(seconds) * 1000)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
