import type { ExecutionStatus } from "./kinds.ts";
import type { Condition } from "./schema.ts";

/** The outcome of a result with this number of rows. */
export type Judgment = {
  status: Extract<
    ExecutionStatus,
    "NotificationSent" | "NotificationSilenced" | "NoResults" | "BelowThreshold"
  >;
  /** Whether the condition is met: what recipients are notified of, unless silenced. */
  isMet: boolean;
};

/**
 * `Always` is met without rows too; `RowCountAbove` and `RowCountBelow` are strict. BelowThreshold applies to
 * `RowCountAbove` only, when there are rows but not more than the threshold. Enough rows for `RowCountBelow` gives
 * NoResults, a success. A silence only changes the outcome of a condition that is met.
 */
export function judge({ kind, threshold }: Condition, rowCount: number, isSilenced: boolean): Judgment {
  const limit = threshold ?? 0;
  const isMet = {
    Always: true,
    RowsFound: rowCount > 0,
    RowCountAbove: rowCount > limit,
    RowCountBelow: rowCount < limit,
  }[kind];
  if (isMet) return { status: isSilenced ? "NotificationSilenced" : "NotificationSent", isMet };
  const isBelow = kind === "RowCountAbove" && rowCount > 0;
  return { status: isBelow ? "BelowThreshold" : "NoResults", isMet };
}
