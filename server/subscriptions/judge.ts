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
 * `Always` is met by no rows too. A row threshold that is not met is BelowThreshold, or NoResults where there are no
 * rows at all; `RowCountAbove` and `RowCountBelow` are strict. A silence changes what a met condition leads to, and
 * nothing else.
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
  return { status: rowCount === 0 ? "NoResults" : "BelowThreshold", isMet };
}
