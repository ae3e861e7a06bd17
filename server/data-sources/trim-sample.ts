import { maskRows } from "../masking.ts";
import { shortened } from "../text.ts";
import type { Cell, ResultSet } from "./engines/engine.ts";
import type { Sample, SampleMode } from "./sample.ts";

/** The limits on a stored sample: enough to find the rows, and always small. */
export const sampleSize = { rows: 20, columns: 60, characters: 500, bytes: 64 * 1024 };
/** How much of a text is searched for sensitive data. */
const judgedCharacters = 4000;

export type SampleOptions = {
  /** The primary key, if known. */
  keyColumns: readonly string[];
  /** The rule's own column. */
  column: string | null;
  mode: Exclude<SampleMode, "Off">;
  /** At most this many rows, if not as many as a sample has. */
  maxRows?: number;
};

/**
 * Rows as stored and shown: key columns first, then the rule's, then the others; masked unless the contract opts out;
 * limited in columns, value size, and total size.
 */
export function trimSample(result: Pick<ResultSet, "columns" | "rows">, options: SampleOptions): Sample {
  const places = orderOf(
    result.columns.map(({ name }) => name),
    [...options.keyColumns, ...(options.column === null ? [] : [options.column])],
  ).slice(0, sampleSize.columns);
  const columns = places.flatMap((place) => result.columns[place] ?? []);
  const rows = result.rows
    .slice(0, options.maxRows ?? sampleSize.rows)
    .map((row) => places.map((place) => storable(row[place] ?? null, judgedCharacters)));
  const masked = options.mode === "Full" ? { rows, maskedColumns: [] } : maskRows({ columns, rows });
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: bounded(masked.rows.map((row) => row.map((cell) => storable(cell, sampleSize.characters)))),
    maskedColumns: masked.maskedColumns,
  };
}

/** The indexes of the named columns in order, followed by all others. */
function orderOf(names: readonly string[], first: readonly string[]): number[] {
  const placeOf = (wanted: string) => {
    const exact = names.indexOf(wanted);
    // Some servers' column names are case-insensitive.
    return exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  };
  const ahead = first.map(placeOf).filter((place) => place >= 0);
  return [...new Set([...ahead, ...names.keys()])];
}

function storable(cell: Cell, characters: number): Cell {
  if (typeof cell === "string") return shortened(cell, characters);
  return typeof cell === "number" && !Number.isFinite(cell) ? String(cell) : cell;
}

/** The leading rows that fit. */
function bounded(rows: Cell[][]): Cell[][] {
  let left = sampleSize.bytes;
  const size = (row: Cell[]) => Buffer.byteLength(JSON.stringify(row));
  const end = rows.findIndex((row) => {
    left -= size(row);
    return left < 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
