import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural } from "../../text.ts";
import type { Candidate, ObservedDatabase } from "../candidate.ts";
import { explainedBy } from "../explained.ts";
import { loadColumnOf } from "../load-column.ts";
import { type Parent, parentsIn, referenceOf } from "./parents.ts";

/**
 * Nearly all parents have children, and so many in a row have none, which are no more than this part of all. It takes more
 * in a row where nothing tells that parents stand in the order in which they came, and some of the others have none either.
 * More such runs than this are parents of a kind that has no children. Children are still coming where at least so many of
 * the parents before the last ones have none either, so many times the usual part.
 */
const limits = {
  share: 0.95,
  run: 5,
  undatedRun: 20,
  allButOne: 0.995,
  ofAll: 0.3,
  parents: 30,
  runs: 2,
  chance: 1e-5,
  late: 5,
  timesUsual: 5,
  rising: 0.9,
  explained: 0.9,
};

/** Parents in a row, at the end of their table or before, without a row in this one, where nearly all others have some. */
export function missingChildrenIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const parents = parentsIn(database);
  return table.columns.flatMap((column) => {
    const parent = column.references
      ? parents.find(({ table: { schemaName, tableName }, column: key }) => {
          const to = column.references;
          return to?.schemaName === schemaName && to.tableName === tableName && to.columnName === key.name;
        })
      : referenceOf(table, column, database)?.parent;
    return parent && parent.table !== table
      ? runsOf(table, column, parent.table, parent.column)
          .filter(({ isLast, rows }) => !(isLast && areToCome({ table, column }, parent, rows, database)))
          .map(({ candidate }) => candidate)
      : [];
  });
}

type Run = { from: number; length: number };

function runsOf(
  table: ObservedTable,
  column: ObservedColumn,
  other: ObservedTable,
  key: ObservedColumn,
): { candidate: Candidate; isLast: boolean; rows: readonly number[] }[] {
  if (isOfLetters(key)) return [];
  const used = new Set(column.values);
  // In the order of their numbers, or in which they stand.
  const order = [...key.values.keys()];
  if (key.numbers) order.sort((a, b) => (key.numbers?.[a] ?? 0) - (key.numbers?.[b] ?? 0));
  const runs: Run[] = [];
  for (const [place, index] of order.entries()) {
    if (used.has(key.values[index] ?? "")) continue;
    const run = runs.at(-1);
    if (run && run.from + run.length === place) run.length++;
    else runs.push({ from: place, length: 1 });
  }
  const without = runs.reduce((sum, { length }) => sum + length, 0);
  const missing = runs.filter(({ length }) => length >= limits.run && length <= order.length * limits.ofAll);
  if (missing.length > limits.runs) return [];
  const [single, inRuns] = [0, 1].map((least) =>
    (least === 0 ? runs.filter((run) => !missing.includes(run)) : missing).reduce(
      (sum, run) => sum + run.length,
      0,
    ),
  );
  const besides = order.length - (inRuns ?? 0);
  const share = 1 - (single ?? without) / besides;
  if (besides < limits.parents || share < limits.share) return [];
  // So many without in a row, anywhere among so many, where one is without by chance.
  const alone = ((single ?? 0) + 1) / (besides + 2);
  const settled = settledIn(runs, order.length, alone);
  const rowsInOrder = rowsOf(key, order);
  const isTelling = share >= limits.allButOne || isInOrderOfArrival(other, rowsInOrder);
  const least = isTelling ? limits.run : limits.undatedRun;
  return (
    missing
      .filter(
        ({ from, length }) => from + length <= settled && order.length * alone ** length < limits.chance,
      )
      .filter((run) => run.length >= least || run.from + run.length === order.length)
      // What has none from the first one on was not yet kept then, or was not yet allowed.
      .filter(({ from }) => from > 0)
      .filter((run) => !isOfAKind(other, rowsInOrder, run, runs))
      .map((run) => ({
        candidate: described(table, column, { other, key, order, run, share, besides }),
        isLast: run.from + run.length === order.length,
        rows: rowsInOrder.slice(run.from, run.from + run.length),
      }))
  );
}

/** So many of the parents have had their first child after that time; and so many of the last ones are older. */
const toCome = { of: 0.95, least: 20, older: 5 };

/**
 * Whether the last parents may still get children: the first one comes some time after its parent, as cars come to the
 * workshop, and hardly any of them have waited longer than others do.
 */
function areToCome(
  { table, column }: { table: ObservedTable; column: ObservedColumn },
  parent: Parent,
  rows: readonly number[],
  { tables, now, isCopy }: ObservedDatabase,
): boolean {
  const [since, came] = [loadColumnOf(parent.table)?.column, loadColumnOf(table)?.column];
  if (!since?.moments || !came?.moments) return false;
  const firstChild = new Map<string, number>();
  for (const [row, index] of column.rows.entries()) {
    const [key, moment] = [column.values[index], momentAt(came, row)];
    if (key === undefined || Number.isNaN(moment)) continue;
    firstChild.set(key, Math.min(firstChild.get(key) ?? moment, moment));
  }
  const delays = [...parent.column.rows.entries()]
    .map(
      ([row, index]) =>
        (firstChild.get(parent.column.values[index] ?? "") ?? Number.NaN) - momentAt(since, row),
    )
    .filter((delay) => !Number.isNaN(delay))
    .sort((a, b) => a - b);
  const usual = delays[Math.floor(delays.length * toCome.of)] ?? 0;
  if (delays.length < toCome.least || usual <= 0) return false;
  const until = isCopy ? newestIn(tables) : now;
  return rows.filter((row) => until - momentAt(since, row) > usual).length < toCome.older;
}

const momentAt = ({ moments, rows }: ObservedColumn, row: number): number =>
  moments?.[rows[row] ?? -1] ?? Number.NaN;

/** Of a copy, time ends with the newest row that tells when it came. */
const newestIn = (tables: readonly ObservedTable[]): number =>
  tables
    .flatMap((table) => loadColumnOf(table)?.column ?? [])
    .reduce(
      (newest, { moments }) =>
        (moments ?? new Float64Array()).reduce((most, each) => Math.max(each, most), newest),
      Number.NEGATIVE_INFINITY,
    );

/** Codes of letters say nothing of the order in which they came, and are often kept in that of the alphabet. */
const isOfLetters = ({ numbers, values }: ObservedColumn): boolean =>
  numbers === null && values.filter((value) => /\d/.test(value)).length < values.length / 2;

/** The row of each of the key's values, in this order of the values. */
function rowsOf(key: ObservedColumn, order: readonly number[]): number[] {
  const rows = new Int32Array(key.values.length);
  for (const [row, value] of key.rows.entries()) if (value >= 0) rows[value] = row;
  return order.map((value) => rows[value] ?? 0);
}

/** Whether some moment of the parents rises with their key: rows next to each other came one after the other. */
function isInOrderOfArrival({ columns }: ObservedTable, rows: readonly number[]): boolean {
  return columns.some(({ moments, values, rows: valueAt }) => {
    if (!moments || values.length < limits.run) return false;
    const inOrder = rows.flatMap((row) => {
      const moment = moments[valueAt[row] ?? -1];
      return moment === undefined || Number.isNaN(moment) ? [] : [moment];
    });
    const rising = inOrder.filter((moment, at) => at > 0 && moment >= (inOrder[at - 1] ?? 0)).length;
    return inOrder.length >= rows.length / 2 && rising >= inOrder.length * limits.rising;
  });
}

/**
 * Whether the parents without children are those of a kind: the components among the products. What goes on along the key,
 * as the number of a load does, is no kind.
 */
function isOfAKind(
  parent: ObservedTable,
  inOrder: readonly number[],
  run: Run,
  all: readonly Run[],
): boolean {
  const goOn = parent.columns.filter((column) => goesOn(column, inOrder)).map(({ name }) => name);
  const isExplained = (runs: readonly Run[]) => {
    const places = runs.flatMap(({ from, length }) => inOrder.slice(from, from + length));
    return (explainedBy(parent, Int32Array.from(places).sort(), goOn)?.share ?? 0) >= limits.explained;
  };
  return isExplained([run]) || isExplained(all);
}

function goesOn({ values, rows, moments, numbers }: ObservedColumn, inOrder: readonly number[]): boolean {
  if (moments) return true;
  if (values.length < limits.run) return false;
  const isBelow = (one: number, other: number) =>
    numbers ? (numbers[one] ?? 0) <= (numbers[other] ?? 0) : (values[one] ?? "") <= (values[other] ?? "");
  const filled = inOrder.flatMap((row) => ((rows[row] ?? -1) >= 0 ? [rows[row] ?? 0] : []));
  const rising = filled.filter((value, at) => at > 0 && isBelow(filled[at - 1] ?? 0, value)).length;
  return rising >= filled.length * limits.rising;
}

/**
 * The place up to which parents have the children that they will have. Where children come some time after their
 * parents, the last ones have none yet, and of those before them only some: a load that was cut short begins sharply.
 */
function settledIn(runs: readonly Run[], parents: number, alone: number): number {
  const tail = runs.at(-1);
  if (!tail || tail.from + tail.length < parents) return parents;
  const from = tail.from - tail.length;
  const without = runs
    .filter((run) => run !== tail)
    .reduce((sum, run) => sum + Math.max(0, run.from + run.length - Math.max(from, run.from)), 0);
  const isLate = without >= limits.late && without >= limits.timesUsual * alone * tail.length;
  return isLate ? from : parents;
}

function described(
  table: ObservedTable,
  column: ObservedColumn,
  {
    other,
    key,
    order,
    run,
    share,
    besides,
  }: {
    other: ObservedTable;
    key: ObservedColumn;
    order: readonly number[];
    run: { from: number; length: number };
    share: number;
    besides: number;
  },
): Candidate {
  const valueAt = (place: number) => key.values[order[place] ?? 0] ?? "";
  const [first, last] = [valueAt(run.from), valueAt(run.from + run.length - 1)];
  const isLast = run.from + run.length === order.length;
  const expected = Math.round((table.rowCount / (besides * share)) * order.length * share);
  const which = isLast
    ? `The last ${plural(run.length, "row")} of ${other.tableName}, from ${key.name} ${first} on, have`
    : `${plural(run.length, "row")} of ${other.tableName} in a row, from ${key.name} ${first} to ${last}, have`;
  return {
    kind: "Truncated",
    table,
    columns: [column.name],
    rows: new Int32Array(0),
    condition: null,
    outOf: table.rowCount,
    statement: `${which} none in ${table.tableName}; ${figure((share * 100).toFixed(1))} % of the others have some.`,
    rule: { type: "Volume", configuration: { minRows: Math.floor(expected * 0.98) } },
    features: {
      share: (share - limits.share) / (1 - limits.share),
      tail: Math.min(1, Math.log10(run.length) / 3),
      ofAll: run.length / order.length,
      declared: Number(column.references !== undefined),
      isLast: Number(isLast),
      isChildless: 1,
    },
    evidence: { since: first },
  };
}
