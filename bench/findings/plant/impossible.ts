import { Random } from "../../../faults/random.ts";
import { momentOf } from "../../../server/profile/plain-values.ts";
import {
  type CleanColumn,
  type CleanTable,
  change,
  chosen,
  decimalsOf,
  isNumeric,
  isOfMoments,
  type Place,
  type Planter,
} from "./place.ts";
import { totalsOf } from "./totals.ts";

/** Ended before it began, a total that is not the sum of its parts, done without a date. */
export const plantImpossible: Planter = (table) => [...orders(table), ...totals(table), ...states(table)];

const measuresOf = ({ observed }: CleanColumn) => observed.moments ?? observed.numbers ?? new Float64Array();

function orders(table: CleanTable): Place[] {
  const places: Place[] = [];
  for (const holds of [isOfMoments, isNumeric])
    for (const low of table.cells.filter(holds))
      for (const high of table.cells.filter(holds)) {
        const measureOf = holds === isNumeric ? Number : momentOf;
        if (low !== high && !low.references && !high.references && isOrdered(low, high))
          places.push({
            columns: [low.name, high.name],
            how: `${high.name} is less than ${low.name}`,
            apply: (rows, random) => {
              const able = rows.filter(
                (row) =>
                  row[low.index] !== null && row[high.index] !== null && row[low.index] !== row[high.index],
              );
              return chosen(able, random, rows.length).filter((row) => {
                const [a = "", b = ""] = [row[low.index] ?? "", row[high.index] ?? ""];
                // As texts they may differ and yet be the same day.
                if (!(measureOf(b) > measureOf(a))) return false;
                row[low.index] = b;
                row[high.index] = a;
                return true;
              });
            },
          });
      }
  return places;
}

/** It holds for all rows, and would fail for many if the values were shuffled. */
function isOrdered(low: CleanColumn, high: CleanColumn): boolean {
  const [lows, highs] = [measuresOf(low), measuresOf(high)];
  const pairs: [number, number][] = [];
  for (const [row, index] of low.observed.rows.entries()) {
    const [a, b] = [lows[index], highs[high.observed.rows[row] ?? -1]];
    if (a === undefined || b === undefined) continue;
    if (a > b) return false;
    pairs.push([a, b]);
  }
  if (pairs.length < 50 || pairs.filter(([a, b]) => a < b).length < pairs.length * 0.5) return false;
  // A count is not less than a share, of whatever.
  const middle = (side: 0 | 1) =>
    Math.abs(pairs.map((pair) => pair[side]).toSorted((a, b) => a - b)[pairs.length >> 1] ?? 0);
  if (middle(1) > middle(0) * 50) return false;
  const random = new Random(7);
  let against = 0;
  for (let draw = 0; draw < 400; draw++) if (random.pick(pairs)[0] > random.pick(pairs)[1]) against++;
  return against >= 80;
}

const totals = (table: CleanTable): Place[] =>
  totalsOf(table.cells.filter((column) => isNumeric(column) && !column.references)).map(
    ({ total, parts, how }) => ({
      columns: [total.name, ...parts.map(({ name }) => name)],
      how: `${total.name} is not ${how}`,
      apply: change(
        total,
        (value, random) =>
          (Number(value) * (1 + random.pick([-0.5, -0.1, 0.1, 0.27, 1]))).toFixed(decimalsOf(value)),
        (value) => Math.abs(Number(value)) > 10,
      ),
    }),
  );

/** All rows of one state have a moment, and none of another state has it. */
function states({ cells, rows: clean }: CleanTable): Place[] {
  const isState = ({ kind, observed }: CleanColumn) =>
    kind === "text" && observed.values.length >= 2 && observed.values.length <= 20 && observed.nulls === 0;
  return cells
    .filter((column) => column.observed.nulls > 0 && isOfMoments(column))
    .flatMap((moment) =>
      cells.filter(isState).flatMap((state): Place[] => {
        const counts = new Map<string, { all: number; filled: number }>();
        for (const row of clean) {
          const value = row[state.index] ?? "";
          const count = counts.get(value) ?? { all: 0, filled: 0 };
          counts.set(value, {
            all: count.all + 1,
            filled: count.filled + Number(row[moment.index] !== null),
          });
        }
        const always = [...counts]
          .filter(([, { all, filled }]) => all >= 100 && filled === all)
          .map(([value]) => value);
        const never = [...counts]
          .filter(([, { all, filled }]) => all >= 100 && filled === 0)
          .map(([value]) => value);
        if (always.length === 0 || never.length === 0) return [];
        const columns = [moment.name, state.name];
        const inState =
          (values: string[], to: (row: (string | null)[]) => string | null): Place["apply"] =>
          (rows, random) => {
            const value = random.pick(values);
            const having = rows.filter((row) => row[state.index] === value);
            const changed = chosen(
              having,
              random,
              rows.length,
              Math.min(rows.length * 0.01, having.length * 0.05),
            );
            for (const row of changed) row[moment.index] = to(row);
            return changed;
          };
        const moments = moment.observed.values;
        return [
          { columns, how: `${always[0]} without ${moment.name}`, apply: inState(always, () => null) },
          {
            columns,
            how: `${never[0]} with ${moment.name}`,
            apply: inState(never, () => moments[Math.floor(moments.length / 2)] ?? null),
          },
        ];
      }),
    );
}
