import type { Random } from "../../../faults/random.ts";
import { periodAt, startOf, type Unit } from "../../../server/findings/timeline.ts";
import { momentOf } from "../../../server/profile/plain-values.ts";
import type { Loads, Row } from "../corpus.ts";
import type { CleanTable, Place, Planter } from "./place.ts";

/** What never came: rows are taken away, and so none is at fault. */

const units = { hour: "Hour", day: "Day", week: "Week", month: "Month" } as const;
/** So many rows are missing at least where they come by chance; loads that are alike each time miss any. */
const least = { missing: 18, kept: 1 };

/** A table that stops: nothing comes any more while the others go on. */
export const plantStale: Planter = (table) => {
  const rhythm = rhythmOf(table);
  if (!rhythm) return [];
  const { periods, index, unit, longest } = rhythm;
  return [
    {
      columns: [rhythm.column],
      how: "no more rows",
      apply: (rows, random) => {
        const first = 2 * longest + 3;
        const silent = random.between(first, Math.max(first, Math.floor(periods.length * 0.12)));
        const from = (periods.at(-1)?.at ?? 0) - silent + 1;
        remove(rows, (row) => periodAt(momentOf(row[index] ?? ""), unit) >= from);
        return [];
      },
      gap: (before, after) => gapBetween(before, after, index, unit),
    },
  ];
};

/** Loads that are missing or were cut short, and what belongs to rows that are there. */
export const plantTruncated: Planter = (table) => [
  ...periodsOf(table),
  ...childrenOf(table),
  ...(table.isPart ? [partOf()] : []),
];

function periodsOf(table: CleanTable): Place[] {
  const rhythm = rhythmOf(table);
  if (!rhythm || table.loads?.areUneven) return [];
  const { periods, index, unit, column, areAtOnce, areAlike } = rhythm;
  const usual = median(periods.map(({ rows }) => rows));
  // Of those at night and on holidays nothing can be said.
  const able = periods
    .slice(8, -2)
    .filter(({ at, rows }) => rows >= usual * 0.5 && !isTurnOfTheYear(startOf(at, unit)));
  // Some rows that are left say more for chance than none.
  const ofTenth = areAlike ? 1 : Math.ceil((least.missing * 1.6) / usual);
  const needed = areAlike ? 1 : Math.ceil(least.missing / usual);
  const place = (how: string, kept: number, [fewest, most]: readonly [number, number]): Place => ({
    columns: [column],
    how,
    apply: (rows, random) => {
      const start = random.pick(able).at;
      const end = start + random.between(fewest, most) - 1;
      const those = rows.filter((row) => {
        const at = periodAt(momentOf(row[index] ?? ""), unit);
        return at >= start && at <= end;
      });
      const gone = new Set(those.slice(Math.floor(those.length * kept)));
      if (gone.size < (areAlike ? 1 : least.missing * (1 - kept))) return [];
      remove(rows, (row) => gone.has(row));
      return [];
    },
    gap: (before, after) => gapBetween(before, after, index, unit),
  });
  const name = `${unit.toLowerCase()}s`;
  const isShort = unit === "Hour" || unit === "Day";
  const places = [place(`${name} without rows`, 0, [needed, needed + (isShort ? 2 : 0)])];
  if (usual * ofTenth >= 10) places.push(place(`${name} with a tenth`, 0.1, [ofTenth, ofTenth]));
  if (areAlike && usual >= 15) places.push(place("a load cut short", 0.4, [1, 1]));
  if (areAtOnce && areAlike && usual >= 10) {
    const last = periods.at(-1)?.at ?? 0;
    places.push({
      columns: [column],
      how: "the last load cut short",
      apply: (rows, random) => {
        const those = rows.filter((row) => periodAt(momentOf(row[index] ?? ""), unit) === last);
        const gone = new Set(
          those.slice(Math.max(least.kept, Math.floor(those.length * random.next() * 0.25))),
        );
        remove(rows, (row) => gone.has(row));
        return [];
      },
      gap: (before, after) => gapBetween(before, after, index, unit),
    });
  }
  return places;
}

/** When much rests, and nobody is surprised. */
const isTurnOfTheYear = (moment: number) => /-(12-2\d|12-3\d|01-0\d)/.test(new Date(moment).toISOString());

/** Rows that every row of another table has, in the order of these. */
function childrenOf({ loads, cells }: CleanTable): Place[] {
  const child = cells.find(({ name }) => name === loads?.childrenOf);
  if (!child) return [];
  const without = (
    how: string,
    startOf: (parents: number, count: number, random: Random) => number,
  ): Place => ({
    columns: [child.name],
    how,
    apply: (rows, random) => {
      const parents = [...new Set(rows.map((row) => row[child.index]))];
      const count = random.between(8, Math.max(8, Math.floor(parents.length * 0.03)));
      const start = startOf(parents.length, count, random);
      const gone = new Set(parents.slice(start, start + count));
      remove(rows, (row) => gone.has(row[child.index] ?? null));
      return [];
    },
    gap: () => ({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }),
  });
  return [
    without("nothing for the last ones", (parents, count) => parents - count),
    without("nothing for some in a row", (parents, count, random) =>
      random.between(20, parents - count - 20),
    ),
  ];
}

const partOf = (): Place => ({
  columns: [],
  how: "a tenth of its siblings",
  apply: (rows, random) => {
    rows.splice(Math.ceil(rows.length * (0.03 + random.next() * 0.12)));
    return [];
  },
  gap: () => ({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }),
});

/** As the corpus says that the table is loaded. */
function rhythmOf({ loads, cells, rows }: CleanTable) {
  const column = cells.find(({ name }) => name === loads?.column);
  if (!loads?.period || !column) return null;
  const unit = units[loads.period];
  const counts = new Map<number, number>();
  for (const row of rows) {
    const at = periodAt(momentOf(row[column.index] ?? ""), unit);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const periods = [...counts].map(([at, count]) => ({ at, rows: count })).sort((a, b) => a.at - b.at);
  const longest = Math.max(...periods.slice(1).map(({ at }, index) => at - (periods[index]?.at ?? at)));
  const { areAtOnce = false, areAlike = false }: Loads = loads;
  return { periods, index: column.index, column: column.name, unit, longest, areAtOnce, areAlike };
}

/** When the rows came that are gone. */
function gapBetween(before: readonly Row[], after: readonly Row[], index: number, unit: Unit) {
  const tally = (rows: readonly Row[]) => {
    const found = new Map<number, number>();
    for (const row of rows) {
      const at = periodAt(momentOf(row[index] ?? ""), unit);
      found.set(at, (found.get(at) ?? 0) + 1);
    }
    return found;
  };
  const rest = tally(after);
  const missing = [...tally(before)].flatMap(([at, count]) => ((rest.get(at) ?? 0) < count ? [at] : []));
  const last = Math.max(...[...tally(before).keys()].filter((at) => at < Math.min(...missing)));
  return { from: startOf(last, unit), to: startOf(Math.max(...missing) + 1, unit) };
}

function remove(rows: Row[], isGone: (row: Row) => boolean): void {
  const kept = rows.filter((row) => !isGone(row));
  rows.splice(0, rows.length, ...kept);
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
