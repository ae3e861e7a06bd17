import { Decimal } from "./score.ts";

/**
 * Which runs alert. The conditions are the specification's; on top of them an alert that is open is not repeated by
 * every run that fails alike: recipients hear when it opens, when something changed for the worse, when it recovers,
 * and now and then that it is still open.
 */

/** `StillOpen` is a reminder to those alone who have not heard of the alert yet. */
export type AlertNews = "Opened" | "Changed" | "Reminder" | "StillOpen" | "Recovered";

/** What recipients know of an alert that is open. */
export type OpenAlert = {
  openedAt: Date;
  lastToldAt: Date;
  /** The scheduled time of the run that was reported last. */
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
 * Only a scheduled evaluation alerts, and only when alert on failure is on and the score is strictly below the
 * threshold. Compared as decimals: equal is not below. Where nobody is to be told, nobody is.
 */
export function isAlertDue(
  { trigger, overallScore }: { trigger: "Manual" | "Scheduled"; overallScore: number },
  { alertOnFailure, failureThreshold }: Pick<Terms, "alertOnFailure" | "failureThreshold">,
): boolean {
  return trigger === "Scheduled" && alertOnFailure && new Decimal(overallScore).lessThan(failureThreshold);
}

/**
 * What a scheduled run has to tell, and whom; null when there is nothing new. Somebody who became a recipient while
 * the alert is open hears of it from the next run that fails.
 */
export function newsOf(
  open: OpenAlert | null,
  run: AlertRun,
  terms: Terms,
): { news: AlertNews; recipientIds: readonly number[] } | null {
  const { recipientIds } = terms;
  if (!isAlertDue({ trigger: "Scheduled", overallScore: run.overallScore }, terms))
    // A score that was not measured says nothing about a recovery, however low the threshold.
    return open && terms.alertOnFailure && !run.couldNotEvaluate ? { news: "Recovered", recipientIds } : null;
  if (!open) return { news: "Opened", recipientIds };
  if (hasChanged(open, run)) return { news: "Changed", recipientIds };
  if (isReminderDue(open, run, terms.reminderHours)) return { news: "Reminder", recipientIds };
  const untold = recipientIds.filter((id) => !open.toldRecipientIds.includes(id));
  return untold.length > 0 ? { news: "StillOpen", recipientIds: untold } : null;
}

/** More than one point lower than last reported, a rule that was not reported failing, or an outage's begin or end. */
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

/** The alert once this has been told; null when it is over. */
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
