import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { shownFrom } from "../../findings/judge.ts";
import { findings } from "../../findings/tables.ts";
import { failingDays } from "../../notifications/delivery-kinds.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { deliveries } from "../../notifications/tables.ts";
import { projects } from "../../projects/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { type DigestFigures, digestContent, digestDay } from "../digest.ts";
import { incidentPolicies, incidentPolicyRecipients, incidents } from "../tables.ts";
import { contractsNow, subscriptionsNow } from "./checks-now.ts";

/** Sends the digests that are due: each policy's once a day, however often this runs. Returns how many were sent. */
export async function sendDigests(now: Date = new Date()): Promise<number> {
  const policies = await db
    .select()
    .from(incidentPolicies)
    .where(
      and(
        isNull(incidentPolicies.removedAt),
        eq(incidentPolicies.enabled, true),
        isNotNull(incidentPolicies.digest),
      ),
    );
  let sent = 0;
  for (const { id, digest } of policies) {
    const day = digest && digestDay(digest, now);
    if (day && (await db.transaction((tx) => send(tx, id, day)))) sent += 1;
  }
  return sent;
}

async function send(tx: Transaction, policyId: number, day: string): Promise<boolean> {
  // Of two processes, the second waits here and then finds the day taken.
  const [policy] = await tx
    .update(incidentPolicies)
    .set({ lastDigestDay: day, updatedAt: sql`${incidentPolicies.updatedAt}` })
    .where(
      and(eq(incidentPolicies.id, policyId), sql`${incidentPolicies.lastDigestDay} is distinct from ${day}`),
    )
    .returning();
  if (!policy) return false;
  const { projectId } = policy;
  const [project] = await tx.select({ name: projects.name }).from(projects).where(eq(projects.id, projectId));
  const recipients = await tx
    .select({ id: incidentPolicyRecipients.recipientId })
    .from(incidentPolicyRecipients)
    .where(
      and(eq(incidentPolicyRecipients.policyId, policyId), eq(incidentPolicyRecipients.isEscalation, false)),
    );
  const notification = await enqueueNotification(tx, {
    projectId,
    cause: { kind: "Digest", id: policyId },
    dedupeKey: day,
    content: digestContent(project?.name ?? "", await figuresOf(tx, projectId)),
    recipientIds: recipients.map(({ id }) => id),
  });
  return notification !== null;
}

/** What is so now in a project, and what happened in the last day. */
async function figuresOf(tx: Transaction, projectId: number): Promise<DigestFigures> {
  const current = await tx
    .select({ title: incidents.title, severity: incidents.severity })
    .from(incidents)
    .where(and(eq(incidents.projectId, projectId), sql`${incidents.state} <> 'Resolved'`))
    .orderBy(incidents.severity, incidents.openedAt);
  const yesterday = sql`now() - interval '1 day'`;
  const [row] = await tx.execute<Omit<DigestFigures, "current">>(sql`
    with ${subscriptionsNow(sql`${subscriptions.projectId} = ${projectId}`)},
    ${contractsNow(sql`${dataSources.projectId} = ${projectId}`)}
    select
      (select count(*)::int from ${incidents} where ${incidents.projectId} = ${projectId} and ${incidents.openedAt} >= ${yesterday}) as opened,
      (select count(*)::int from ${incidents} where ${incidents.projectId} = ${projectId} and ${incidents.resolvedAt} >= ${yesterday}) as resolved,
      (select count(*)::int from contract_now) as contracts,
      (select count(*)::int from contract_now where problem is not null) as "failingContracts",
      (select count(*)::int from subscription_now) as subscriptions,
      (select count(*)::int from subscription_now where problem in ('Failing', 'Stalled', 'CouldNotRun')) as "failingSubscriptions",
      count(*)::int as "openTasks", (count(*) filter (where ${tasks.assigneeId} is null))::int as "unassignedTasks",
      (select count(*)::int from ${findings} join ${dataSources} on ${dataSources.id} = ${findings.dataSourceId}
        where ${dataSources.projectId} = ${projectId} and ${findings.status} = 'Open' and ${findings.confidence} >= ${shownFrom}
          and ${findings.firstSeenAt} >= ${yesterday}) as "newFindings",
      (select count(*)::int from ${deliveries} where ${deliveries.projectId} = ${projectId} and ${deliveries.status} = 'Failed'
        and ${deliveries.failedAt} > now() - ${failingDays} * interval '1 day') as "failedDeliveries"
    from ${tasks} left join ${contracts} on ${contracts.id} = ${tasks.contractId}
    left join ${subscriptions} on ${subscriptions.id} = ${tasks.subscriptionId}
    where ${tasks.projectId} = ${projectId} and ${tasks.status} = 'Open'
      and coalesce(${contracts.archivedAt}, ${subscriptions.archivedAt}) is null`);
  if (!row) throw new Error("An aggregate returned no row");
  return { ...row, current };
}
