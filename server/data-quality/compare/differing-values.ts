import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import type { Difference, DifferingRow, RowComparison } from "./compare-rows.ts";
import type { Pair } from "./paired-columns.ts";
import { textOf } from "./row-hash.ts";
import type { Both, Reader } from "./sides.ts";

/** Some of the rows that differ, with the values of both tables side by side. */

export type Sampled = Pick<ResultSet, "columns" | "rows">;

const maxRows = 20;
/** Characters of a value that are read: more than are kept. */
const maxCharacters = 1000;
const maxBytes = 16 * 1024 * 1024;

/** Reads them again, as only their hashes are known. Throws SideFailed. */
export async function differingValues(
  reader: Reader,
  comparison: RowComparison,
  { key, pairs }: { key: readonly Pair[]; pairs: readonly Pair[] },
): Promise<Sampled> {
  const chosen = someOfEachKind(comparison.found.some);
  const isHere = comparison.readRows(chosen);
  const others = pairs.filter((pair) => !key.includes(pair));
  const found = await reader.read(
    (sql, _, place) => {
      const texts = [...key, ...others].map(
        (pair, at) => `${sql.start(textOf(sql, pair, place), maxCharacters)} as v${at}`,
      );
      const condition = isHere(sql, comparison.position(sql, place));
      return `select ${comparison.position(sql, place).whole} as position, ${texts.join(", ")}
from ${sql.table} as checked
where ${condition}`;
    },
    { maxRows: 10 * maxRows, maxBytes },
  );
  const [here, there] = found.map(
    ({ rows }) => new Map(rows.map(([position, ...values]) => [String(position), values])),
  ) as Both<Map<string, Cell[]>>;
  const rows = chosen.map(({ kind, position }) => ({
    kind,
    values: [here.get(position) ?? [], there.get(position) ?? []] as Both<Cell[]>,
  }));
  const shown = columnsToShow(rows, key.length, others.length);
  const type = (pair: Pair | undefined, place: 0 | 1) => pair?.columns[place].type ?? "text";
  return {
    columns: [
      ...key.map((pair) => ({ name: pair.name, type: type(pair, 0) })),
      { name: "difference", type: "text" },
      ...shown.flatMap((at) => [
        { name: others[at]?.name ?? "", type: type(others[at], 0) },
        { name: `${others[at]?.name ?? ""} (other table)`, type: type(others[at], 1) },
      ]),
    ],
    rows: rows.map(({ kind, values: [one, other] }) => [
      ...key.map((_, at) => one[at] ?? other[at] ?? null),
      kind,
      ...shown.flatMap((at) => [one[key.length + at] ?? null, other[key.length + at] ?? null]),
    ]),
  };
}

/** Up to twenty, of all kinds that there are, those that differ first. */
function someOfEachKind(rows: readonly DifferingRow[]): DifferingRow[] {
  const kinds: Difference[] = ["different", "only here", "only there"];
  const byKind = kinds.map((kind) => rows.filter((row) => row.kind === kind));
  const wanted = byKind.map(() => 0);
  for (let left = maxRows, more = true; left > 0 && more; ) {
    more = false;
    for (const [at, own] of byKind.entries()) {
      if (left === 0 || (wanted[at] ?? 0) >= own.length) continue;
      wanted[at] = (wanted[at] ?? 0) + 1;
      left--;
      more = true;
    }
  }
  return byKind.flatMap((own, at) => own.slice(0, wanted[at]));
}

/** Columns in which a row differs; if rows are only missing, all of them. */
function columnsToShow(
  rows: readonly { kind: Difference; values: Both<Cell[]> }[],
  keys: number,
  others: number,
): number[] {
  const all = Array.from({ length: others }, (_, at) => at);
  const differing = rows.filter(({ kind }) => kind === "different");
  if (differing.length === 0) return all;
  return all.filter((at) =>
    differing.some(({ values: [one, other] }) => (one[keys + at] ?? null) !== (other[keys + at] ?? null)),
  );
}
