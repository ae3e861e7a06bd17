import { formatNumber, plural } from "@/components/ui/format.ts";
import type { ExecutionRows } from "@/server/subscriptions/schema.ts";

/** What changed among a run's rows since the run before, as the start of a sentence that names it. Pure. */
export function changeWords({
  comparison,
  rowCount,
}: Pick<ExecutionRows, "comparison" | "rowCount">): string {
  if (!comparison) return "";
  const { newCount, goneCount } = comparison;
  if (newCount === 0 && goneCount === 0) return rowCount === 0 ? "Still no rows" : "The same rows";
  return [
    ...(newCount > 0 ? [`${formatNumber(newCount)} new`] : []),
    ...(goneCount > 0 ? [`${formatNumber(goneCount)} gone`] : []),
  ].join(", ");
}

/** What the comparison is based on, where that is not everything. */
export const basisWords = ({ comparison }: Pick<ExecutionRows, "comparison">): string | null =>
  comparison?.comparedRows
    ? `Compared among the first ${plural(comparison.comparedRows, "row")} of each run.`
    : null;

/** Why there is no comparison. */
export const uncomparedWords: Record<NonNullable<ExecutionRows["uncompared"]>, string> = {
  FirstRun: "This is the first run with a result, so there is nothing to compare it with.",
  RowsNotKept: "The rows of the run before are no longer kept, so what is new is unknown.",
  ColumnsChanged: "The run before had other columns, so its rows cannot be compared.",
};
