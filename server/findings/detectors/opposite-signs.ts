import type { ObservedTable } from "../../profile/observed-table.ts";
import { listed, withArticle } from "../../text.ts";
import type { Candidate } from "../candidate.ts";
import { type Condition, rowsAgainst } from "../condition.ts";
import { have, rowsOf } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { isIdentifier, type Measured, measuredColumns, rarityOf } from "../measured.ts";

/**
 * So many rows are below zero in both columns, which are a small part of all; beside them, so few have one above and one
 * below, and so few of all rows.
 */
const limits = { together: 20, below: 0.3, against: 0.2, ofRows: 0.005, columns: 10 };

type Signed = Measured & { below: number };

/**
 * Rows where one amount is below zero and another above, which in all others have the same sign: what is canceled or taken
 * back is so in each of its amounts.
 */
export function oppositeSignsIn(table: ObservedTable): Candidate[] {
  const signed = measuredColumns(table)
    .filter((each) => !each.isMoment && each.column.kind !== "text" && !isIdentifier(each))
    .map((each): Signed => ({ ...each, below: each.rows.reduce((sum, at) => sum + Number(at < 0), 0) }))
    .filter(({ below }) => below >= limits.together && below <= table.rowCount * limits.below)
    .slice(0, limits.columns);
  const pairs = signed.flatMap((left, index) =>
    signed.slice(index + 1).flatMap((right) => {
      const against = againstIn(left, right);
      return against ? [{ left, right, against }] : [];
    }),
  );
  // Of a column that differs from several others, these are right: each goes with the rest.
  return signed.flatMap((doubted) => {
    const own = pairs.filter(({ left, right }) => left === doubted || right === doubted);
    const differing = own.filter(({ against }) => against.length > 0);
    const others = differing.map(({ left, right }) => (left === doubted ? right : left));
    const isAlone = others.every((other) =>
      pairs.every(
        ({ left, right, against }) =>
          left === doubted ||
          right === doubted ||
          (left !== other && right !== other) ||
          against.length === 0,
      ),
    );
    return differing.length >= 2 && differing.length === own.length && isAlone
      ? described(table, doubted, others)
      : [];
  });
}

/** The rows of other signs; null where these columns do not go together. */
function againstIn(left: Signed, right: Signed): number[] | null {
  const against: number[] = [];
  let [together, compared] = [0, 0];
  for (const [row, one] of left.rows.entries()) {
    const other = right.rows[row] ?? Number.NaN;
    if (Number.isNaN(one) || Number.isNaN(other) || one === 0 || other === 0) continue;
    compared++;
    if (one < 0 && other < 0) together++;
    else if (one < 0 || other < 0) against.push(row);
  }
  const isLaw =
    together >= limits.together &&
    against.length <= together * limits.against &&
    against.length <= Math.max(1, compared * limits.ofRows);
  return isLaw ? against : null;
}

function described(table: ObservedTable, doubted: Signed, others: readonly Signed[]): Candidate[] {
  const own = doubted.column.name;
  const names = others.map(({ column }) => column.name);
  const beyond = (is: "below" | "above", column: string): Condition => ({ is, column, bound: "0" });
  const all = (one: "below" | "above", other: "below" | "above"): Condition => ({
    is: "all",
    of: [beyond(one, own), ...names.map((name) => beyond(other, name))],
  });
  const condition: Condition = { is: "any", of: [all("below", "above"), all("above", "below")] };
  const rows = rowsAgainst(condition, table);
  if (rows.length === 0) return [];
  const outOf = doubted.rows.reduce((sum, at) => sum + Number(at !== 0 && !Number.isNaN(at)), 0);
  return [
    {
      kind: "Impossible",
      table,
      columns: [own],
      rows,
      condition,
      outOf,
      statement: `${rowsOf(rows.length, outOf)} of ${table.tableName} ${have(rows.length)} ${withArticle(own)} of another sign than ${listed(names)}; in all others they have the same.`,
      rule: null,
      features: {
        rarity: rarityOf(rows.length, outOf),
        few: 1 / rows.length,
        telling: 1,
        far: 1,
        explained: explainedBy(table, rows, [own, ...names])?.share ?? 0,
        isAtEnd: Number(isAtTheEnd(table, rows)),
      },
      evidence: {},
    },
  ];
}
