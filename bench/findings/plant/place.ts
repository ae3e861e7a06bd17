import type { Random } from "../../../faults/random.ts";
import type { ObservedColumn } from "../../../server/profile/observed-column.ts";
import type { ObservedTable } from "../../../server/profile/observed-table.ts";
import {
  type CorpusColumn,
  type CorpusDatabase,
  type CorpusTable,
  observedTable,
  type Row,
} from "../corpus.ts";
import { some } from "../draw.ts";

/** Somewhere that a fault makes sense. */
export type Place = {
  /** Whose values will be at fault; any of them named is right. */
  columns: readonly string[];
  /** What is done there, for the list of what was missed. */
  how: string;
  /** Changes some rows, or adds some, and answers those that are at fault then. */
  apply: (rows: Row[], random: Random) => Row[];
  /** Where rows are taken away instead: when those came that are gone. */
  gap?: (before: readonly Row[], after: readonly Row[]) => Gap;
};

/** In milliseconds since 1970; infinite where it is not about time. */
export type Gap = { from: number; to: number };

/** Looks for places in a clean table. */
export type Planter = (table: CleanTable, database: CleanDatabase) => Place[];

export type CleanDatabase = { name: string; tables: CleanTable[] };
export type CleanTable = CorpusTable & { observed: ObservedTable; cells: CleanColumn[] };
export type CleanColumn = CorpusColumn & { index: number; observed: ObservedColumn };

/** Smaller tables promise nothing. */
const fewestRows = 50;

export function cleanDatabase(database: CorpusDatabase): CleanDatabase {
  const tables = database.tables
    .filter(({ rows }) => rows.length >= fewestRows)
    .map((table) => {
      const observed = observedTable(table);
      const cells = table.columns.flatMap((column, index) => {
        const seen = observed.columns[index];
        return seen ? [{ ...column, index, observed: seen }] : [];
      });
      return { ...table, observed, cells };
    });
  return { name: database.name, tables };
}

/** From one row to a hundredth of them, as often few as many; now and then one after the other, as in one load. */
export function chosen(rows: readonly Row[], random: Random, all: number, most = all * 0.01): Row[] {
  const count = Math.max(1, Math.round(Math.exp(random.next() * Math.log(Math.max(1, most)))));
  if (!random.chance(0.25)) return some(random, rows, count);
  const start = random.between(0, Math.max(0, rows.length - count));
  return rows.slice(start, start + count);
}

/** Gives some rows another value in this column. Those for which there is none stay as they are. */
export function change(
  { index }: CleanColumn,
  to: (value: string, random: Random) => string | null | undefined,
  may: (value: string) => boolean = () => true,
): Place["apply"] {
  return (rows, random) => {
    const able = rows.filter((row) => {
      const value = row[index] ?? null;
      return value !== null && may(value);
    });
    return chosen(able, random, rows.length).filter((row) => {
      const next = to(row[index] ?? "", random);
      if (next === undefined || next === row[index]) return false;
      row[index] = next;
      return true;
    });
  };
}

export const isNumeric = ({ observed }: CleanColumn): boolean =>
  observed.numbers !== null && !observed.numbers.some(Number.isNaN);
export const isOfMoments = ({ observed }: CleanColumn): boolean =>
  observed.moments !== null && !observed.moments.some(Number.isNaN);

/** Texts that are neither numbers nor dates. */
export const isOfWords = (column: CleanColumn): boolean =>
  column.kind === "text" && !isNumeric(column) && !isOfMoments(column) && column.observed.values.length > 1;

export const isUnique = ({ observed }: CleanColumn): boolean =>
  observed.nulls === 0 && observed.values.length === observed.rows.length;

export const averageLength = ({ observed }: CleanColumn): number =>
  observed.values.reduce((sum, value) => sum + value.length, 0) / Math.max(1, observed.values.length);

/** Reviews and remarks: people write there what they like. */
export const isProse = (column: CleanColumn): boolean =>
  averageLength(column) > 30 ||
  column.observed.values.filter((value) => value.split(" ").length > 4).length >
    column.observed.values.length * 0.2;

/** `AB-1234` is `AA-9999`. */
export const shapeOf = (value: string): string =>
  value
    .replace(/\p{Lu}/gu, "A")
    .replace(/\p{Ll}/gu, "a")
    .replace(/\d/g, "9");

export const decimalsOf = (value: string): number => value.split(".")[1]?.length ?? 0;
