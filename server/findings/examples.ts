import type { Sample } from "../data-sources/sample.ts";
import { shortened } from "../text.ts";

const most = { rows: 3, doubted: 3, characters: 80 };

/**
 * Some of the rows in doubt as a list shows them: what tells a row from others, and the columns in doubt. null where
 * no rows are kept. Pure.
 */
export function examplesOf(
  sample: Sample | null,
  doubted: readonly string[],
): { columns: string[]; rows: Sample["rows"] } | null {
  if (!sample || sample.rows.length === 0) return null;
  const names = sample.columns.map(({ name }) => name);
  const inDoubt = doubted.map((name) => names.indexOf(name)).filter((place) => place >= 0);
  // A sample begins with the key.
  const places = [...new Set([0, ...inDoubt.slice(0, most.doubted)])];
  return {
    columns: places.map((place) => names[place] ?? ""),
    rows: sample.rows.slice(0, most.rows).map((row) =>
      places.map((place) => {
        const cell = row[place] ?? null;
        return typeof cell === "string" ? shortened(cell, most.characters) : cell;
      }),
    ),
  };
}
