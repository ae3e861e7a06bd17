import { formatNumber, formatPercent } from "@/components/ui/format.ts";
import type { FindingKind, FindingStatus } from "@/server/findings/kinds.ts";
import type { Finding, FindingReview } from "@/server/findings/schema.ts";
import { shownFrom } from "@/server/findings/shown-from.ts";

/** The kinds as people call them. */
export const kindWords: Record<FindingKind, string> = {
  MissingValue: "Missing value",
  DisguisedMissing: "Placeholder",
  Duplicate: "Duplicate",
  Orphan: "Missing reference",
  OutOfRange: "Out of range",
  Format: "Format",
  Type: "Wrong type",
  Variant: "Spelling variant",
  Inconsistent: "Inconsistent",
  Impossible: "Contradiction",
  Stale: "Stale table",
  Truncated: "Incomplete load",
  Encoding: "Encoding",
};

export const statusWords: Record<FindingStatus, string> = {
  Open: "Open",
  Accepted: "Made a rule",
  Dismissed: "Not a problem",
  Gone: "No longer found",
};

const levels = [
  { from: 0.97, word: "Almost certain" },
  { from: 0.9, word: "Very likely" },
  { from: shownFrom, word: "Likely" },
  { from: 0.5, word: "Possible" },
] as const;

/** How sure a finding is in a word. Pure. */
export const surenessWord = (confidence: number): string =>
  levels.find(({ from }) => confidence >= from)?.word ?? "Unlikely";

/** The confidence in percent; nothing is ever certain. Pure. */
export const surenessPercent = (confidence: number): string =>
  formatPercent(Math.min(99, Math.floor(confidence * 100 + 1e-9)), 0);

/** What a language model changed: "gpt-x raised it from 72% and reworded it". Pure. */
export function reviewWords({ model, verdict, isReworded, ownConfidence }: FindingReview): string {
  const before = ownConfidence === null ? "" : ` from ${surenessPercent(ownConfidence)}`;
  const moved = {
    Proposed: "proposed it; the rows were counted",
    Raised: `made it more likely${before}`,
    Lowered: `made it less likely${before}`,
    Kept: "",
  }[verdict];
  const parts = [moved, isReworded && verdict !== "Proposed" ? "reworded it" : ""].filter(Boolean);
  return `${model} ${parts.join(" and ")}`;
}

/** "3 of 8,960", or that it is rows that are missing. Pure. */
export function rowsInDoubt({ failingRows, totalRows }: Pick<Finding, "failingRows" | "totalRows">): string {
  if (failingRows === 0) return "Rows are missing";
  return `${formatNumber(failingRows)} of ${formatNumber(totalRows)}`;
}

/** Their share of the table, not rounded to nothing or to everything; null where it is rows that are missing. Pure. */
export function shareInDoubt({
  failingRows,
  totalRows,
}: Pick<Finding, "failingRows" | "totalRows">): string | null {
  if (failingRows === 0 || totalRows === 0) return null;
  const percent = (failingRows / totalRows) * 100;
  return percent < 0.01 ? `<${formatPercent(0.01, 2)}` : formatPercent(percent, percent < 1 ? 2 : 1);
}

/** Values with their rows: one that is in doubt in several groups of rows stands once. Pure. */
export function withoutRepeats(
  values: readonly { value: string; rows: number }[],
): { value: string; rows: number }[] {
  const rows = new Map<string, number>();
  for (const each of values) rows.set(each.value, (rows.get(each.value) ?? 0) + each.rows);
  return [...rows].map(([value, count]) => ({ value, rows: count }));
}

/** A table as one name. */
export const tableKey = (table: { dataSourceId: number; schemaName: string; tableName: string }): string =>
  JSON.stringify([table.dataSourceId, table.schemaName, table.tableName]);
