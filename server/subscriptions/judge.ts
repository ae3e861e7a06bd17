import type { Condition, ExecutionStatus } from "./schema.ts";

/** What a result of so many rows comes to. */
export type Judgement = {
  status: Extract<
    ExecutionStatus,
    "NotificationSent" | "NotificationSilenced" | "NoResults" | "BelowThreshold"
  >;
  /** Whether the condition is met, which is what people are told of. */
  isMet: boolean;
};

/**
 * `Always` is met by no rows too; `RowCountAbove` and `RowCountBelow` are strict. BelowThreshold is for
 * `RowCountAbove` alone, when there are some rows but not more than the threshold. Enough rows for `RowCountBelow` is
 * nothing to tell, so NoResults, and a success. A silence changes what a met condition leads to, and nothing else.
 */
export function judge({ kind, threshold }: Condition, rowCount: number, isSilenced: boolean): Judgement {
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
