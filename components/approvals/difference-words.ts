import { formatNumber, plural } from "@/components/ui/format.ts";
import type { Preview } from "@/server/queries/schema.ts";
import type { ResultDifference } from "./result-difference.ts";

type Rows = Pick<Preview, "rowCount" | "truncated">;

/** The differences between two results, as sentences; the first is about row counts. */
export function differenceWords(
  before: Rows,
  after: Rows,
  { rows, columns, isReordered }: ResultDifference,
): string[] {
  const names = (list: readonly string[]) => list.map((name) => `“${name}”`).join(", ");
  const { changed, gone, added } = rows;
  const parts = [
    changed > 0 && `${plural(changed, "row")} with other values`,
    gone > 0 && `${plural(gone, "row")} gone`,
    added > 0 && `${plural(added, "row")} new`,
  ].filter((part) => part !== false);
  const isShared = before.rowCount > 0 || after.rowCount > 0;
  return [
    countWords(before, after),
    parts.length > 0 && `${parts.join(", ")}: marked below, in the order in which the rows came.`,
    isReordered && "The same rows, in a different order.",
    parts.length === 0 &&
      !isReordered &&
      columns.gone.length + columns.added.length === 0 &&
      isShared &&
      (before.truncated || after.truncated ? "The rows shown are the same." : "The rows are the same."),
    columns.gone.length > 0 && `Columns that are gone: ${names(columns.gone)}.`,
    columns.added.length > 0 && `Columns that are new: ${names(columns.added)}.`,
    ...columns.retyped.map(({ name, was, is }) => `“${name}” is ${is} instead of ${was}.`),
  ].filter((sentence) => sentence !== false);
}

function countWords(before: Rows, after: Rows): string {
  const counted = ({ rowCount, truncated }: Rows) =>
    `${truncated ? "more than " : ""}${formatNumber(rowCount)}`;
  const text = `${counted(before)} before, ${counted(after)} with the change`;
  if (before.truncated && after.truncated) return `Rows: ${text}.`;
  const more = after.rowCount - before.rowCount;
  const isCertain = !before.truncated && !after.truncated;
  if (more === 0) return isCertain ? `${plural(after.rowCount, "row")} in both.` : `Rows: ${text}.`;
  const by = `${formatNumber(Math.abs(more))} ${more > 0 ? "more" : "fewer"}`;
  return isCertain ? `Rows: ${text}, ${by}.` : `Rows: ${text}.`;
}
