import type { ApprovalKind } from "../queries/approval-kinds.ts";
import type { Condition } from "../subscriptions/schema.ts";
import { figure, plural } from "../text.ts";

/** Why an item needs a person, in one sentence without its time. Pure. */

const because = (what: string, why: string | null) => (why ? `${what}: ${why}` : what);

export const cannotNotifyWords = (reason: string): string => because("Cannot notify", reason);

/** `isMore`: the streak is longer than was looked at. */
export type Streak = { runs: number; isMore: boolean };

/** "22 rows found", "22 rows found, for 3 runs", "3 rows found, fewer than 10". */
export function foundWords(
  rowCount: number,
  { kind, threshold }: Condition,
  { runs, isMore }: Streak,
): string {
  const found = rowCount === 0 ? "Nothing found" : `${plural(rowCount, "row")} found`;
  return [
    found,
    kind === "RowCountBelow" && threshold !== null && `fewer than ${figure(threshold)}`,
    runs > 1 && `for ${isMore ? "at least " : ""}${figure(runs)} runs`,
  ]
    .filter(Boolean)
    .join(", ");
}

export const taskWords = (rowCount: number, runs: number): string =>
  foundWords(rowCount, { kind: "RowsFound", threshold: null }, { runs, isMore: false });

/** "Score 62", "Score 62, below the threshold for 3 runs". */
export const scoreTaskWords = (score: number, runs: number): string =>
  `Score ${score}${runs > 1 ? `, below the threshold for ${figure(runs)} runs` : ""}`;

export const neverEvaluatedWords = "Scheduled, but never evaluated";

/** "Orders, Items, and 3 more". */
export function incidentWords(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")}, and ${figure(more)} more`;
}

export const findingsWords = (count: number, worst: string): string =>
  count === 1 ? worst : `${plural(count, "finding")}. The worst: ${worst}`;

export const undeliveredWords = (count: number, lastError: string | null): string =>
  because(
    `${plural(count, "message was", "messages were")} not delivered`,
    lastError && (count === 1 ? lastError : `the latest: ${lastError}`),
  );

export const planWords = (actions: number): string =>
  `A plan with ${plural(actions, "action")} waits for you`;

const requests: Record<ApprovalKind, string> = {
  Change: "A change",
  FirstRun: "The first run",
  Archive: "A request to archive it",
};

/** "A change by Ada waits for you. Step 1: 1 line added". */
export function requestWords(kind: ApprovalKind, requester: string | null, summary: string | null): string {
  const by = requester === null ? "" : ` by ${requester}`;
  return [`${requests[kind]}${by} waits for you`, summary?.trim()].filter(Boolean).join(". ");
}
