import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { agreement } from "../chance.ts";
import type { Condition } from "../condition.ts";
import { rowsByValue } from "../dependencies.ts";
import { tellersIn } from "../several-tellers.ts";
import type { Reason } from "./reason.ts";

/** So many groups, and rows in them, tell whether one column decides another; so many rows must agree on a value. */
const least = { rows: 20, groups: 5, votes: 2, values: 2 };
/** At most so many rows are against it, and so much of what chance alone would give. */
const against = { share: 0.5, ofChance: 0.6 };
/** The columns that decide another best; and so many cells are compared, and so many groups listed in a statement. */
const most = { deciding: 3, values: 0.6, alike: 0.97, cells: 10_000_000, groups: 1500 };
/** By the share of rows that are against it; `told` where several sources tell of the same things. */
const trust = { firm: 0.7, fair: 0.5, loose: 0.35, told: 0.75, toldUnclear: 0.6, tied: 0.5 };
const upTo = { firm: 0.05, fair: 0.15 };

/**
 * Cells that other rows contradict: rows with the same value in one column have the same value in another nearly always,
 * or at least far more often than by chance. Looser than what is shown without answers. Pure.
 */
export function toldReasons(table: ObservedTable): Reason[] {
  const tellers = tellersIn(table);
  const affordable = Math.floor(most.cells / Math.max(1, table.rowCount * table.columns.length));
  const deciding = table.columns
    .filter((column) => (tellers ? column === tellers.thing : canDecide(column, table)))
    .slice(0, affordable)
    .map((by) => ({ by, members: rowsByValue(by) }));
  return table.columns.flatMap((column) => {
    if (column === tellers?.teller || column.values.length < least.values || agreement(column) > most.alike)
      return [];
    return deciding
      .filter(({ by }) => by !== column)
      .flatMap(({ by, members }) => dependencyOf(by, column, members) ?? [])
      .toSorted((a, b) => a.share - b.share || b.rows - a.rows)
      .slice(0, most.deciding)
      .flatMap((dependency) => reasonsOf(dependency, tellers !== null));
  });
}

const canDecide = ({ kind, isPrimaryKey, values }: ObservedColumn, { rowCount }: ObservedTable) =>
  !isPrimaryKey &&
  !["float", "decimal", "time", "other"].includes(kind) &&
  values.length >= least.groups &&
  values.length <= rowCount * most.values;

type Dependency = {
  by: ObservedColumn;
  column: ObservedColumn;
  members: readonly number[][];
  rows: number;
  /** Of these rows, how many differ from most of their group. */
  share: number;
};

/** What rows that have `by` in common say of a column, the most frequent value first; empty cells are apart. */
function valuesIn(column: ObservedColumn, group: readonly number[]) {
  const counts = new Map<number, number>();
  let told = 0;
  for (const row of group) {
    const value = column.rows[row] ?? -1;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (isFilled(column, value)) told++;
  }
  const filled = [...counts].filter(([value]) => isFilled(column, value)).toSorted((a, b) => b[1] - a[1]);
  return { counts, told, filled, usual: filled[0]?.[1] ?? 0, next: filled[1]?.[1] ?? 0 };
}

const isFilled = ({ values }: ObservedColumn, value: number) => value >= 0 && values[value]?.trim() !== "";

function dependencyOf(
  by: ObservedColumn,
  column: ObservedColumn,
  members: readonly number[][],
): Dependency | null {
  const alike = agreement(column);
  let [rows, groups, others, byChance] = [0, 0, 0, 0];
  for (const group of members) {
    if (group.length < 2) continue;
    const { told, usual } = valuesIn(column, group);
    if (told < 2) continue;
    rows += told;
    groups++;
    others += told - usual;
    byChance += (told - 1) * (1 - alike);
  }
  if (rows < least.rows || groups < least.groups) return null;
  if (others > rows * against.share || others > byChance * against.ofChance) return null;
  return { by, column, members, rows, share: others / rows };
}

/** One value of `by`, and a value of the other column that most of its rows do not have; -1 is NULL. */
type Pair = { thing: number; value: number; verdict: "clear" | "unclear" | "tied" | "empty" };

function pairsOf({ column, members }: Dependency): Pair[] {
  return members.flatMap((group, thing): Pair[] => {
    if (group.length < 2) return [];
    const { counts, told, filled, usual, next } = valuesIn(column, group);
    if (told < 2) return [];
    if (usual < least.votes || usual === next)
      return filled.length < 2 ? [] : filled.map(([value]) => ({ thing, value, verdict: "tied" }));
    const isClear = usual >= 2 * next && usual * 2 > told;
    return [...counts.keys()]
      .filter((value) => value !== filled[0]?.[0])
      .map((value) => ({
        thing,
        value,
        verdict: isFilled(column, value) ? (isClear ? "clear" : "unclear") : "empty",
      }));
  });
}

function reasonsOf(dependency: Dependency, areTellers: boolean): Reason[] {
  const { by, column, members, share } = dependency;
  const fit = share <= upTo.firm ? trust.firm : share <= upTo.fair ? trust.fair : trust.loose;
  const sure = areTellers ? trust.told : fit;
  const priors = {
    clear: sure,
    unclear: areTellers ? trust.toldUnclear : sure / 2,
    tied: trust.tied,
    empty: sure,
  };
  const words = {
    clear: `differs from most rows with the same ${by.name}`,
    unclear: `differs from more rows with the same ${by.name} than agree with it`,
    tied: `differs from as many rows with the same ${by.name} as agree with it`,
    empty: `is empty, and other rows with the same ${by.name} have a ${column.name}`,
  };
  return [...Map.groupBy(pairsOf(dependency), ({ verdict }) => verdict)].flatMap(([verdict, pairs]) => {
    // Where it is not known that one of the values must be right, a tie says nothing.
    if (verdict === "tied" && !areTellers) return [];
    const rows = pairs.flatMap(({ thing, value }) =>
      (members[thing] ?? []).filter((row) => (column.rows[row] ?? -1) === value),
    );
    return [
      {
        key: `Told ${verdict} ${column.name} by ${by.name}`,
        kind: verdict === "empty" ? ("MissingValue" as const) : ("Inconsistent" as const),
        column: column.name,
        families: [`Told ${verdict} by ${by.name}`],
        because: words[verdict],
        rows: Int32Array.from(rows).sort(),
        prior: priors[verdict],
        condition: conditionOf(by, column, pairs),
      },
    ];
  });
}

function conditionOf(by: ObservedColumn, column: ObservedColumn, pairs: readonly Pair[]): Condition | null {
  const byThing = [...Map.groupBy(pairs, ({ thing }) => thing)];
  if (byThing.length > most.groups) return null;
  return {
    is: "any",
    of: byThing.map(([thing, of]) => {
      const values = of.filter(({ value }) => value >= 0).map(({ value }) => column.values[value] ?? "");
      const told: Condition[] = [
        ...(values.length > 0 ? [{ is: "oneOf" as const, column: column.name, values }] : []),
        ...(of.some(({ value }) => value < 0) ? [{ is: "null" as const, column: column.name }] : []),
      ];
      return {
        is: "all",
        of: [
          { is: "oneOf", column: by.name, values: [by.values[thing] ?? ""] },
          { is: "any", of: told },
        ],
      };
    }),
  };
}
