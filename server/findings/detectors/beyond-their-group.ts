import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, withArticle } from "../../text.ts";
import { numberBetween } from "../bound-between.ts";
import type { Candidate } from "../candidate.ts";
import { type Condition, rowsAgainst } from "../condition.ts";
import { have, quoted, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { isCounter, medianOf, rarityOf } from "../measured.ts";
import { isNamedLikeKey } from "../names.ts";

/**
 * Groups are believed to say how large a number is where they are many, have some rows each, and nearly all numbers are
 * about as large as the middle one of their group (`near`, as a factor), while those of different groups are not.
 */
const limits = {
  ...{ rows: 200, groups: 5, rowsOfGroup: 5, ofRows: 0.8 },
  ...{ near: 2, nearShare: 0.995, apart: 6 },
  /** What is doubted is so many times as large or as small, and no more than these are. */
  ...{ far: 8, shareFar: 0.002, mostFar: 20 },
};

/** Numbers like many others of the column, and unlike all that belong to the same thing: the price of an article. */
export function beyondTheirGroup(table: ObservedTable, column: ObservedColumn): Candidate[] {
  const { numbers } = column;
  const isMeasure =
    numbers &&
    column.kind !== "text" &&
    !isNamedLikeKey(column.name) &&
    !column.references &&
    !isCounter(column);
  if (!isMeasure || filledRows(column) < limits.rows || column.values.length < 8) return [];
  if (!numbers.every((number) => number > 0)) return [];
  const sizes = numbers.map(Math.log);
  if (spreadOf(column, sizes) < Math.log(limits.apart)) return [];
  const found = table.columns.flatMap((group) => wrongIn(table, column, sizes, group) ?? []);
  return found.toSorted((a, b) => b.outOf - a.outOf).slice(0, 1);
}

/** From the tenth to the ninetieth of a hundred rows, as a logarithm. */
function spreadOf({ counts }: ObservedColumn, sizes: Float64Array): number {
  const order = [...sizes.keys()].sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number) => {
    let rows = 0;
    for (const index of order) {
      rows += counts[index] ?? 0;
      if (rows >= all * share) return sizes[index] ?? 0;
    }
    return 0;
  };
  return at(0.9) - at(0.1);
}

const isGroup = (table: ObservedTable, column: ObservedColumn, group: ObservedColumn) =>
  group !== column &&
  (group.kind === "text" || group.kind === "uuid" || group.kind === "integer") &&
  group.values.length >= limits.groups &&
  group.values.length * limits.rowsOfGroup <= filledRows(group) &&
  (group.kind === "text" || isNamedLikeKey(group.name) || group.references !== undefined) &&
  table.rowCount > 0;

function wrongIn(
  table: ObservedTable,
  column: ObservedColumn,
  sizes: Float64Array,
  group: ObservedColumn,
): Candidate | null {
  if (!isGroup(table, column, group)) return null;
  const members: number[][] = group.values.map(() => []);
  for (const [row, index] of group.rows.entries())
    if (index >= 0 && (column.rows[row] ?? -1) >= 0) members[index]?.push(row);
  const sizeAt = (row: number) => sizes[column.rows[row] ?? -1] ?? Number.NaN;
  let [judged, near] = [0, 0];
  const far: { index: number; rows: number[]; middle: number }[] = [];
  const middles: number[] = [];
  const most = Math.max(3, Math.min(limits.mostFar, filledRows(column) * limits.shareFar));
  let doubted = 0;
  for (const [index, rows] of members.entries()) {
    if (rows.length < limits.rowsOfGroup) continue;
    const middle = medianOf(rows.map(sizeAt));
    middles.push(middle);
    judged += rows.length;
    const away = rows.filter((row) => Math.abs(sizeAt(row) - middle) >= Math.log(limits.far));
    near += rows.filter((row) => Math.abs(sizeAt(row) - middle) <= Math.log(limits.near)).length;
    if (away.length === 0) continue;
    doubted += away.length;
    if (doubted > most) return null;
    far.push({ index, rows: away, middle });
  }
  const isKept =
    far.length > 0 &&
    middles.length >= limits.groups &&
    judged >= filledRows(column) * limits.ofRows &&
    near >= judged * limits.nearShare;
  // The groups must differ, or the column as a whole says it already.
  middles.sort((a, b) => a - b);
  const between =
    (middles[Math.floor(middles.length * 0.9)] ?? 0) - (middles[Math.floor(middles.length * 0.1)] ?? 0);
  return isKept && between >= Math.log(limits.apart) / 2
    ? described(table, column, group, far, members, judged)
    : null;
}

function described(
  table: ObservedTable,
  column: ObservedColumn,
  group: ObservedColumn,
  far: readonly { index: number; rows: number[]; middle: number }[],
  members: readonly number[][],
  judged: number,
): Candidate {
  const numberAt = (row: number) => column.numbers?.[column.rows[row] ?? -1] ?? 0;
  const conditions = far.flatMap(({ index, rows, middle }): Condition[] => {
    const inGroup: Condition = { is: "oneOf", column: group.name, values: [group.values[index] ?? ""] };
    const doubted = new Set(rows);
    const others = (members[index] ?? []).filter((row) => !doubted.has(row)).map(numberAt);
    const sides = {
      above: rows.filter((row) => numberAt(row) > Math.exp(middle)),
      below: rows.filter((row) => numberAt(row) <= Math.exp(middle)),
    };
    return (["above", "below"] as const)
      .filter((side) => sides[side].length > 0)
      .map((side) => {
        const [end, nearest] =
          side === "above"
            ? [Math.max(...others), Math.min(...sides.above.map(numberAt))]
            : [Math.min(...others), Math.max(...sides.below.map(numberAt))];
        return {
          is: "all",
          of: [inGroup, { is: side, column: column.name, bound: numberBetween(end, nearest) }],
        };
      });
  });
  const condition: Condition = { is: "any", of: conditions };
  const rows = rowsAgainst(condition, table);
  const [first] = far;
  const shown = first?.rows[0] ?? 0;
  const others = (members[first?.index ?? 0] ?? [])
    .filter((row) => !(first?.rows ?? []).includes(row))
    .map(numberAt);
  const [low, high] = [Math.min(...others), Math.max(...others)];
  const usual =
    low === high
      ? `all others have ${figure(String(low))}`
      : `all others have between ${figure(String(low))} and ${figure(String(high))}`;
  const example =
    `${figure(column.values[column.rows[shown] ?? -1] ?? "")} with ${quoted(group.values[first?.index ?? 0] ?? "")} as ` +
    `${group.name}, where ${usual}`;
  const indexes = [...new Set(Array.from(rows, (row) => column.rows[row] ?? -1))];
  return {
    kind: "OutOfRange",
    table,
    columns: [column.name],
    rows,
    condition,
    outOf: judged,
    statement:
      rows.length === 1
        ? `1 row of ${table.tableName} has ${withArticle(column.name)} of ${example}.`
        : `${rowsOf(rows.length, judged)} of ${table.tableName} ${have(rows.length)} ${withArticle(column.name)} far from the others with the same ${group.name}, such as ${example}.`,
    rule: null,
    features: {
      gap: 1,
      beyondTail: 0.5,
      rarity: rarityOf(rows.length, judged),
      isOfGroup: 1,
      explained: explainedBy(table, rows, [column.name, group.name])?.share ?? 0,
      isAtEnd: Number(isAtTheEnd(table, rows)),
    },
    evidence: {
      doubted: indexes.slice(0, 10).map((index) => ({
        value: column.values[index] ?? "",
        rows: rowsWith(column, [index]).length,
      })),
    },
  };
}
