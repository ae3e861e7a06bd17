import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { maintenanceUntil } from "../../maintenance/service.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { findRecipients } from "../../notifications/service/recipients.ts";
import { alertContent, type FailedRule } from "../alert.ts";
import { type AlertRun, alertAfter, newlyFailing, newsOf } from "../alert-policy.ts";
import { contractAlerts, evaluations } from "../evaluations/tables.ts";
import { contractRecipients } from "../tables.ts";

type AlertedContract = {
  id: number;
  name: string;
  alertOnFailure: boolean;
  failureThreshold: number;
  timezone: string;
  /** Notified at their own address, beside the recipients. */
  ownerId: number | null;
  reminderHours: number | null;
  isSilenced: boolean;
};

type ScheduledRun = Omit<AlertRun, "failedKeys" | "couldNotEvaluate"> & {
  evaluationId: number;
  table: { dataSourceId: number; schemaName: string; tableName: string };
  passedCount: number;
  failed: readonly FailedRule[];
  /** Why the data source could not be reached; null if it was reached. */
  notEvaluatedBecause: string | null;
  /** The contract's open task, if that is nobody's. */
  freeTaskId: number | null;
};

/**
 * Enqueues alert messages after a scheduled evaluation and stores what recipients know, both in the transaction that
 * stores the evaluation: so alerts are sent once, even if the evaluation is retried or taken over. Whether to alert,
 * whom, and under which name is up to the contract at that time; the caller holds a lock on it.
 *
 * A silenced contract tells nobody, nor does one whose data source or table is in maintenance, and what recipients know stays as
 * it is, so that the first scheduled run after it reports what is new since. An alert that recovers meanwhile is over
 * without a message.
 */
export async function notifyAlert(tx: Transaction, contract: AlertedContract, scheduled: ScheduledRun) {
  const { failed, notEvaluatedBecause, passedCount, table } = scheduled;
  const run: AlertRun = {
    ...scheduled,
    couldNotEvaluate: notEvaluatedBecause !== null,
    failedKeys: failed.map(({ key }) => key),
  };
  const ofContract = eq(contractAlerts.contractId, contract.id);
  const [[open = null], recipients] = await sideBySide(
    tx.select().from(contractAlerts).where(ofContract).for("update"),
    // They belong to the data source's project. Archived ones are skipped.
    findRecipients(
      tx,
      tx
        .select({ id: contractRecipients.recipientId })
        .from(contractRecipients)
        .where(eq(contractRecipients.contractId, contract.id)),
    ),
  );
  const recipientIds = recipients.filter(({ enabled }) => enabled).map(({ id }) => id);
  const told = newsOf(open, run, { ...contract, recipientIds });
  if (!told) return;
  const [recipient] = recipients;
  const { dataSourceId } = table;
  const [inMaintenanceUntil, scores, measured] = await sideBySide(
    recipient
      ? maintenanceUntil(tx, {
          projectId: recipient.projectId,
          dataSourceIds: [dataSourceId],
          tables: () => [table],
        })
      : null,
    recentScores(tx, contract.id),
    notEvaluatedBecause === null ? null : lastMeasured(tx, contract.id),
  );
  if (contract.isSilenced || inMaintenanceUntil !== null) {
    if (told.news === "Recovered") await closeAlert(tx, contract.id);
    return;
  }
  // "Still open" is news for recipients who were added only. What nobody is told is not remembered, and would be repeated.
  const ownerIsTold = told.news !== "StillOpen" && recipientIds.length > 0 && isMailConfigured();
  if (recipient)
    await enqueueNotification(tx, {
      projectId: recipient.projectId,
      cause: { kind: "Evaluation", id: scheduled.evaluationId },
      content: alertContent({
        ...{ contract, table, passedCount, failed, open },
        overallScore: run.overallScore,
        news: told.news,
        newlyFailing: newlyFailing(open, run),
        recentScores: scores,
        freeTaskId: scheduled.freeTaskId,
        outage: notEvaluatedBecause === null ? null : { reason: notEvaluatedBecause, lastMeasured: measured },
      }),
      recipientIds: told.recipientIds,
      userIds: ownerIsTold && contract.ownerId !== null ? [contract.ownerId] : [],
      topic: "Incidents",
    });
  const after = alertAfter(open, run, told);
  if (!after) await tx.delete(contractAlerts).where(ofContract);
  else if (recipientIds.length > 0)
    await tx
      .insert(contractAlerts)
      .values({ ...after, contractId: contract.id })
      .onConflictDoUpdate({ target: contractAlerts.contractId, set: after });
}

async function lastMeasured(tx: Transaction, contractId: number) {
  const [measured] = await tx
    .select({ score: evaluations.overallScore, evaluatedAt: evaluations.evaluatedAt })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, contractId),
        isNull(evaluations.notEvaluatedBecause),
        isNotNull(evaluations.evaluatedAt),
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  return measured && measured.score !== null && measured.evaluatedAt !== null
    ? { score: measured.score, evaluatedAt: measured.evaluatedAt }
    : null;
}

async function recentScores(tx: Transaction, contractId: number): Promise<(number | null)[]> {
  const rows = await tx
    .select({ score: evaluations.overallScore, because: evaluations.notEvaluatedBecause })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), isNotNull(evaluations.evaluatedAt)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(trendEvaluations);
  return rows.map(({ score, because }) => (because === null ? score : null)).toReversed();
}

/** How many evaluations the line of bars in an alert shows. */
const trendEvaluations = 30;

/** Resets the alert state: the next failing evaluation opens a new alert. */
export async function closeAlert(tx: Transaction, contractId: number): Promise<void> {
  await tx.delete(contractAlerts).where(eq(contractAlerts.contractId, contractId));
}
