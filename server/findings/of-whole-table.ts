import type { ObservedTable } from "../profile/observed-table.ts";
import { figure, plural } from "../text.ts";

/**
 * The sentence of a finding with the figures of the whole table behind it, if only some of its rows were read: those in
 * the sentence are of these rows alone. Pure.
 */
export function ofWholeTable(
  statement: string,
  { isWhole, rowCount, totalRows }: Pick<ObservedTable, "isWhole" | "rowCount" | "totalRows">,
  { readRows, failingRows }: { readRows: number; failingRows: number },
): string {
  if (isWhole || readRows === 0) return statement;
  return `${statement} That is among the ${plural(rowCount, "row")} that were read; in the whole table, it concerns ${figure(failingRows)} of about ${plural(totalRows, "row")}.`;
}
