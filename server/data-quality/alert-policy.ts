import { Decimal } from "./decimal.ts";

/**
 * Decides which evaluations alert. The conditions are the specification's. In addition, an open alert is not repeated
 * by every failing evaluation: recipients are notified when it opens, when something gets worse, when it recovers, and
 * periodically while it stays open.
 */

/** `StillOpen` goes only to recipients who have not been notified of the alert yet. */
export type AlertNews = "Opened" | "Changed" | "Reminder" | "StillOpen" | "Recovered";

/** What recipients know about an open alert. */
export type OpenAlert = {
  openedAt: Date;
  lastToldAt: Date;
  /** The scheduled time of the evaluation that was last reported. */
  lastToldFor: Date;
  lastToldScore: number;
  toldNotEvaluated: boolean;
  toldRuleKeys: string[];
  toldRecipientIds: number[];
};

export type AlertRun = {
  overallScore: number;
  couldNotEvaluate: boolean;
  failedKeys: readonly string[];
  evaluatedAt: Date;
  scheduledFor: Date;
};

type Terms = {
  alertOnFailure: boolean;
  failureThreshold: number;
  reminderHours: number | null;
  recipientIds: readonly number[];
};

/**
 * Only a scheduled evaluation alerts, and only if alert on failure is on and the score is strictly below the threshold.
 * Compared as decimals: equal is not below. Without recipients, nobody is notified.
 */
export function isAlertDue(
  { trigger, overallScore }: { trigger: "Manual" | "Scheduled"; overallScore: number },
  { alertOnFailure, failureThreshold }: Pick<Terms, "alertOnFailure" | "failureThreshold">,
): boolean {
  return trigger === "Scheduled" && alertOnFailure && isBelow(overallScore, failureThreshold);
}

export const isBelow = (score: number, threshold: number): boolean => new Decimal(score).lessThan(threshold);

/**
 * What to report after a scheduled evaluation, and to whom; null if there is nothing new. Someone added as a recipient
 * while the alert is open is notified by the next failing evaluation.
 */
export function newsOf(
  open: OpenAlert | null,
  run: AlertRun,
  terms: Terms,
): { news: AlertNews; recipientIds: readonly number[] } | null {
  const { recipientIds } = terms;
  if (!isAlertDue({ trigger: "Scheduled", overallScore: run.overallScore }, terms))
    // A score that was not measured cannot mean recovery, however low the threshold.
    return open && terms.alertOnFailure && !run.couldNotEvaluate ? { news: "Recovered", recipientIds } : null;
  if (!open) return { news: "Opened", recipientIds };
  if (hasChanged(open, run)) return { news: "Changed", recipientIds };
  if (isReminderDue(open, run, terms.reminderHours)) return { news: "Reminder", recipientIds };
  const untold = recipientIds.filter((id) => !open.toldRecipientIds.includes(id));
  return untold.length > 0 ? { news: "StillOpen", recipientIds: untold } : null;
}

/**
 * The score fell by more than one point since the last report, a rule failed that was not reported, or an outage began
 * or ended.
 */
function hasChanged(open: OpenAlert, run: AlertRun): boolean {
  if (run.couldNotEvaluate !== open.toldNotEvaluated) return true;
  if (run.couldNotEvaluate) return false;
  return (
    new Decimal(run.overallScore).minus(open.lastToldScore).lessThan(-1) || newlyFailing(open, run).length > 0
  );
}

export function newlyFailing(open: OpenAlert | null, { failedKeys }: AlertRun): string[] {
  return open ? failedKeys.filter((key) => !open.toldRuleKeys.includes(key)) : [];
}

function isReminderDue(open: OpenAlert, { scheduledFor }: AlertRun, hours: number | null): boolean {
  return hours !== null && scheduledFor.getTime() - open.lastToldFor.getTime() >= hours * 3_600_000;
}

/** The alert's state after this report; null if it is over. */
export function alertAfter(
  open: OpenAlert | null,
  run: AlertRun,
  { news, recipientIds }: { news: AlertNews; recipientIds: readonly number[] },
): OpenAlert | null {
  if (news === "Recovered") return null;
  const toldRecipientIds = [...new Set([...(open?.toldRecipientIds ?? []), ...recipientIds])];
  if (open && news === "StillOpen") return { ...open, toldRecipientIds };
  const failedKeys = run.couldNotEvaluate ? [] : run.failedKeys;
  return {
    openedAt: open?.openedAt ?? run.evaluatedAt,
    lastToldAt: run.evaluatedAt,
    lastToldFor: run.scheduledFor,
    lastToldScore: run.overallScore,
    toldNotEvaluated: run.couldNotEvaluate,
    toldRuleKeys: [...new Set([...(open?.toldRuleKeys ?? []), ...failedKeys])],
    toldRecipientIds,
  };
}
