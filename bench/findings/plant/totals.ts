import type { CleanColumn } from "./place.ts";

export type Total = { total: CleanColumn; parts: CleanColumn[]; how: string };

/** Columns that are sums, differences or products of others in all rows of a clean table. */
export function totalsOf(columns: CleanColumn[]): Total[] {
  const able = columns
    .filter(({ observed }) => observed.values.length >= 2 && observed.nulls < observed.rows.length * 0.1)
    .slice(0, 12);
  const found: Total[] = [];
  for (const total of able.filter(({ observed }) => observed.values.length >= 20)) {
    const others = able.filter((column) => column !== total);
    for (const parts of subsetsOf(others)) {
      const way = waysOf(parts).find(({ make }) => holds(total, parts, make));
      // The shortest says it all.
      if (way) {
        found.push({ total, parts, how: way.how });
        break;
      }
    }
  }
  return found;
}

/** Of two to four, the small ones first. */
function subsetsOf<T>(from: T[]): T[][] {
  const ofSize = (size: number, start = 0): T[][] =>
    size === 0
      ? [[]]
      : from
          .slice(start)
          .flatMap((first, index) => ofSize(size - 1, start + index + 1).map((rest) => [first, ...rest]));
  return [2, 3, 4].flatMap((size) => ofSize(size));
}

type Way = { how: string; make: (values: readonly number[]) => number };

function waysOf(parts: CleanColumn[]): Way[] {
  const names = parts.map(({ name }) => name);
  const signs = Array.from({ length: 2 ** parts.length - 1 }, (_, mask) =>
    parts.map((_part, index) => ((mask >> index) & 1 ? -1 : 1)),
  );
  const sums = signs.map((sign) => ({
    how: names
      .map((name, index) => `${(sign[index] ?? 1) < 0 ? "- " : index > 0 ? "+ " : ""}${name}`)
      .join(" "),
    make: (values: readonly number[]) =>
      values.reduce((sum, value, index) => sum + value * (sign[index] ?? 1), 0),
  }));
  if (parts.length > 3) return sums;
  return [
    ...sums,
    { how: names.join(" × "), make: (values) => values.reduce((product, value) => product * value, 1) },
  ];
}

/** In all rows, to the cent; and no part is a bystander that is nearly always 0 or, in a product, 1. */
function holds(total: CleanColumn, parts: CleanColumn[], make: Way["make"]): boolean {
  const numbers = (column: CleanColumn, row: number) =>
    column.observed.numbers?.[column.observed.rows[row] ?? -1];
  const count = total.observed.rows.length;
  let told = 0;
  const moved = parts.map(() => 0);
  for (let row = 0; row < count; row++) {
    const made = numbers(total, row);
    const values = parts.map((part) => numbers(part, row));
    if (made === undefined || values.some((value) => value === undefined)) continue;
    const known = values as number[];
    const expected = make(known);
    if (Math.abs(expected - made) > 0.011) return false;
    told++;
    for (const index of parts.keys())
      if (
        Math.abs(make(known.with(index, (known[index] ?? 0) * 2 + 3)) - expected) > 0.5 &&
        known[index] !== 0
      )
        moved[index] = (moved[index] ?? 0) + 1;
  }
  return told >= 50 && moved.every((rows) => rows >= told * 0.05);
}
