import { asc, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { idsOf, isOneOf } from "../../db/gathered.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { loadMaintenance } from "../../maintenance/service.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotifications, type NotificationRequest } from "../../notifications/service/enqueue.ts";
import { findRecipients } from "../../notifications/service/recipients.ts";
import { alertContent, type FailedRule } from "../alert.ts";
import {
  type AlertNews,
  type AlertRun,
  alertAfter,
  newlyFailing,
  newsOf,
  type OpenAlert,
} from "../alert-policy.ts";
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

/** A contract as it is now, and its scheduled evaluation. */
type Alerted = { contract: AlertedContract; run: ScheduledRun };

/**
 * Enqueues alert messages after scheduled evaluations of different contracts and stores what recipients know, both in the
 * transaction that stores the evaluations: so alerts are sent once, even if an evaluation is retried or taken over. Whether
 * to alert, whom, and under which name is up to the contract at that time; the caller holds a lock on it.
 *
 * A silenced contract tells nobody, nor does one whose data source or table is in maintenance, and what recipients know stays as
 * it is, so that the first scheduled run after it reports what is new since. An alert that recovers meanwhile is over
 * without a message.
 */
export async function notifyAlerts(tx: Transaction, runs: readonly Alerted[]): Promise<void> {
  const judged = await judge(tx, runs);
  if (judged.length === 0) return;
  const contractIds = judged.map(({ contract }) => contract.id);
  const outages = judged.filter(({ run }) => run.notEvaluatedBecause !== null);
  const [isInMaintenance, scoresOf, measuredOf] = await sideBySide(
    findMaintenance(tx, judged),
    recentScores(tx, contractIds),
    lastMeasured(
      tx,
      outages.map(({ contract }) => contract.id),
    ),
  );
  const isSilent = (news: News) => news.contract.isSilenced || isInMaintenance.has(news.contract.id);
  const told = judged.filter((news) => !isSilent(news));
  const silentlyOver = judged.filter((news) => isSilent(news) && news.told.news === "Recovered");
  await enqueueNotifications(
    tx,
    told.flatMap((news) => {
      const { id } = news.contract;
      const before = { recentScores: scoresOf.get(id) ?? [], lastMeasured: measuredOf.get(id) ?? null };
      return requestOf(news, before) ?? [];
    }),
  );
  await remember(tx, told, silentlyOver);
}

/** What there is to report of a contract, and to whom. */
type News = Alerted & {
  open: OpenAlert | null;
  /** null without recipients. */
  projectId: number | null;
  recipientIds: readonly number[];
  told: { news: AlertNews; recipientIds: readonly number[] };
};

/** Those of which there is something new; their alerts stay locked. */
async function judge(tx: Transaction, runs: readonly Alerted[]): Promise<readonly News[]> {
  if (runs.length === 0) return [];
  const contractIds = runs.map(({ contract }) => contract.id);
  const ofContracts = isOneOf(contractRecipients.contractId, contractIds);
  const [alerts, links, recipients] = await sideBySide(
    tx
      .select()
      .from(contractAlerts)
      .where(isOneOf(contractAlerts.contractId, contractIds))
      .orderBy(asc(contractAlerts.contractId))
      .for("update"),
    tx.select().from(contractRecipients).where(ofContracts),
    // They belong to the data source's project. Archived ones are skipped.
    findRecipients(
      tx,
      tx.select({ id: contractRecipients.recipientId }).from(contractRecipients).where(ofContracts),
    ),
  );
  const alertOf = new Map(alerts.map((alert) => [alert.contractId, alert]));
  const linksOf = Map.groupBy(links, ({ contractId }) => contractId);
  return runs.flatMap(({ contract, run }) => {
    const ids = new Set((linksOf.get(contract.id) ?? []).map(({ recipientId }) => recipientId));
    const own = recipients.filter(({ id }) => ids.has(id));
    const recipientIds = own.filter(({ enabled }) => enabled).map(({ id }) => id);
    const open = alertOf.get(contract.id) ?? null;
    const told = newsOf(open, asAlertRun(run), { ...contract, recipientIds });
    return told ? { contract, run, open, projectId: own[0]?.projectId ?? null, recipientIds, told } : [];
  });
}

const asAlertRun = (run: ScheduledRun): AlertRun => ({
  ...run,
  couldNotEvaluate: run.notEvaluatedBecause !== null,
  failedKeys: run.failed.map(({ key }) => key),
});

/** The contracts whose data source or table is in maintenance. Without recipients, nobody would be told anyway. */
async function findMaintenance(tx: Transaction, judged: readonly News[]): Promise<ReadonlySet<number>> {
  const asked = judged.flatMap(({ contract, projectId, run: { table } }) =>
    projectId === null ? [] : { contract, projectId, table },
  );
  if (asked.length === 0) return new Set();
  const projectIds = asked.map(({ projectId }) => projectId);
  const untilOf = await loadMaintenance(tx, projectIds, new Date());
  const found = new Set<number>();
  for (const { contract, projectId, table } of asked)
    if (await untilOf({ projectId, dataSourceIds: [table.dataSourceId], tables: () => [table] }))
      found.add(contract.id);
  return found;
}

/** The notification of what is new; null without recipients. */
function requestOf(
  { contract, run, open, projectId, recipientIds, told }: News,
  before: { recentScores: readonly (number | null)[]; lastMeasured: Measured | null },
): NotificationRequest | null {
  if (projectId === null) return null;
  const { notEvaluatedBecause: reason, table, passedCount, failed, overallScore, freeTaskId } = run;
  // "Still open" is news for recipients who were added only. What nobody is told is not remembered, and would be repeated.
  const ownerIsTold = told.news !== "StillOpen" && recipientIds.length > 0 && isMailConfigured();
  return {
    projectId,
    cause: { kind: "Evaluation", id: run.evaluationId },
    content: alertContent({
      ...{ contract, table, passedCount, failed, open, overallScore, freeTaskId },
      news: told.news,
      newlyFailing: newlyFailing(open, asAlertRun(run)),
      recentScores: before.recentScores,
      outage: reason === null ? null : { reason, lastMeasured: before.lastMeasured },
    }),
    recipientIds: told.recipientIds,
    userIds: ownerIsTold && contract.ownerId !== null ? [contract.ownerId] : [],
    topic: "Incidents",
  };
}

/** Stores what recipients know now. */
async function remember(
  tx: Transaction,
  told: readonly News[],
  silentlyOver: readonly News[],
): Promise<void> {
  const known = told.map((news) => ({
    ...news,
    after: alertAfter(news.open, asAlertRun(news.run), news.told),
  }));
  const over = [...known.filter(({ after }) => after === null), ...silentlyOver];
  const open = known.flatMap(({ contract, recipientIds, after }) =>
    after && recipientIds.length > 0 ? { ...after, contractId: contract.id } : [],
  );
  await sideBySide(
    over.length > 0 &&
      closeAlerts(
        tx,
        over.map(({ contract }) => contract.id),
      ),
    open.length > 0 &&
      tx
        .insert(contractAlerts)
        .values(open)
        .onConflictDoUpdate({
          target: contractAlerts.contractId,
          set: {
            ...{ openedAt: sql`excluded.opened_at`, lastToldAt: sql`excluded.last_told_at` },
            ...{ lastToldFor: sql`excluded.last_told_for`, lastToldScore: sql`excluded.last_told_score` },
            toldNotEvaluated: sql`excluded.told_not_evaluated`,
            toldRuleKeys: sql`excluded.told_rule_keys`,
            toldRecipientIds: sql`excluded.told_recipient_ids`,
          },
        }),
  );
}

type Measured = { score: number; evaluatedAt: Date };

/** Of each contract the last score that was measured. */
async function lastMeasured(
  tx: Transaction,
  contractIds: readonly number[],
): Promise<ReadonlyMap<number, Measured>> {
  if (contractIds.length === 0) return new Map();
  const found = await tx.execute<{ contractId: number; score: number; evaluatedAt: string }>(sql`
    select contract_id as "contractId", overall_score::float8 as score, evaluated_at as "evaluatedAt"
    from unnest(${idsOf(contractIds).ids}::integer[]) as asked (id) cross join lateral (
      select * from ${evaluations}
      where contract_id = asked.id and not_evaluated_because is null and evaluated_at is not null
      order by evaluated_at desc, id desc limit 1) as latest
    where overall_score is not null`);
  return new Map(
    found.map(({ contractId, score, evaluatedAt }) => [
      contractId,
      { score, evaluatedAt: new Date(evaluatedAt) },
    ]),
  );
}

/** Of each contract the latest scores, oldest first; null for one that could not be measured. */
async function recentScores(
  tx: Transaction,
  contractIds: readonly number[],
): Promise<ReadonlyMap<number, (number | null)[]>> {
  const found = await tx.execute<{ contractId: number; scores: (number | null)[] }>(sql`
    select asked.id as "contractId",
      json_agg(case when not_evaluated_because is null then overall_score end order by evaluated_at, latest.id) as scores
    from unnest(${idsOf(contractIds).ids}::integer[]) as asked (id) cross join lateral (
      select * from ${evaluations} where contract_id = asked.id and evaluated_at is not null
      order by evaluated_at desc, id desc limit ${trendEvaluations}) as latest
    group by asked.id`);
  return new Map(found.map(({ contractId, scores }) => [contractId, scores]));
}

/** How many evaluations the line of bars in an alert shows. */
const trendEvaluations = 30;

/** Resets alert states: the next failing evaluation opens a new alert. */
export async function closeAlerts(tx: Transaction, contractIds: readonly number[]): Promise<void> {
  await tx.delete(contractAlerts).where(isOneOf(contractAlerts.contractId, contractIds));
}
