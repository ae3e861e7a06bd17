import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { contracts } from "../../data-quality/tables.ts";
import { isInScope } from "../../data-sources/scope.ts";
import { loadProjectTags, type TagsOf } from "../../data-sources/service/table-tags.ts";
import { db, type Transaction } from "../../db/client.ts";
import { loadMaintenance } from "../../maintenance/service.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { incidentContent } from "../content.ts";
import { isWithin } from "../policy-hours.ts";
import type { PolicyStep } from "../schema.ts";
import {
  incidentNotices,
  incidentPolicies,
  incidentPolicyRecipients,
  incidentProblems,
  incidents,
} from "../tables.ts";
import { record } from "./notice.ts";

/**
 * Notifies by policy: of an incident once, of its escalation once, and of its end once, those who knew of it. Run each
 * minute after incidents were noticed, so that what fails together is one message. Nobody is notified of an incident
 * that is silenced, or while all of its current problems are silenced or in maintenance; what lasts longer is told
 * afterwards. Returns how many steps were taken.
 */
export async function notifyIncidents(now: Date = new Date()): Promise<number> {
  const due = await dueSteps(now);
  let taken = 0;
  for (const step of due) if (await db.transaction((tx) => take(tx, step, now))) taken += 1;
  return taken;
}

type Step = { incidentId: number; policyId: number; step: PolicyStep };
type Policy = typeof incidentPolicies.$inferSelect;
type Incident = typeof incidents.$inferSelect;

/** By the states alone; whether anybody is to be notified now is decided when the step is taken. */
async function dueSteps(now: Date): Promise<Step[]> {
  const rows = await db.execute<{ incident_id: number; policy_id: number; step: PolicyStep }>(sql`
    with told as (
      select incident_id, policy_id, max(at) filter (where step = 'Opened') as opened,
        bool_or(step = 'Escalated') as escalated, bool_or(step = 'Resolved') as resolved
      from ${incidentNotices} group by incident_id, policy_id
    )
    select incident.id as incident_id, policy.id as policy_id, case
        when told.opened is null then 'Opened'
        when incident.state = 'Resolved' then 'Resolved'
        else 'Escalated' end as step
    from ${incidents} as incident
    join ${incidentPolicies} as policy on policy.project_id = incident.project_id
      and policy.enabled and policy.removed_at is null
    left join told on told.incident_id = incident.id and told.policy_id = policy.id
    where case
      when told.opened is null then incident.state <> 'Resolved' and incident.created_at >= policy.created_at
        and incident.severity <= policy.min_severity
      when incident.state = 'Resolved' then not told.resolved
      else incident.state = 'Open' and not told.escalated
        and told.opened + policy.escalate_after_minutes * interval '1 minute' <= ${now.toISOString()}::timestamptz
    end
    order by incident.opened_at, policy.id`);
  return [...rows].map(({ incident_id, policy_id, step }) => ({
    incidentId: incident_id,
    policyId: policy_id,
    step,
  }));
}

async function take(tx: Transaction, { incidentId, policyId, step }: Step, now: Date): Promise<boolean> {
  const [incident] = await tx.select().from(incidents).where(eq(incidents.id, incidentId)).for("update");
  const [policy] = await tx
    .select()
    .from(incidentPolicies)
    .where(and(eq(incidentPolicies.id, policyId), isNull(incidentPolicies.removedAt)));
  if (!incident || !policy) return false;
  if (step === "Resolved" ? incident.state !== "Resolved" : incident.state === "Resolved") return false;
  if (step === "Escalated" && incident.state !== "Open") return false;
  const problems = await tx
    .select()
    .from(incidentProblems)
    .where(eq(incidentProblems.incidentId, incidentId))
    .orderBy(incidentProblems.severity, incidentProblems.beganAt);
  const isQuiet = await isSilenced(tx, incident, problems, now);
  // Who knows of it learns that it is over, unless it is silenced: then it ends without a message.
  if (step !== "Resolved" && (isQuiet || !(await applies(tx, policy, problems, now)))) return false;
  const [isNew] = await tx
    .insert(incidentNotices)
    .values({ incidentId, policyId, step })
    .onConflictDoNothing()
    .returning();
  if (!isNew || isQuiet) return false;
  const recipientIds = await recipientsOf(tx, { incidentId, policyId, step });
  const current = problems.filter(({ endedAt }) => endedAt === null);
  const sent = await enqueueNotification(tx, {
    projectId: incident.projectId,
    cause: { kind: "Incident", id: incidentId },
    dedupeKey: `${step}/${policyId}`,
    content: incidentContent(incident, current.length > 0 ? current : problems, step),
    recipientIds,
  });
  const by = `by the policy ${policy.name}`;
  if (sent !== null && step !== "Resolved")
    await record(tx, incidentId, step === "Opened" ? "Notified" : "Escalated", by);
  return sent !== null;
}

type Problems = (typeof incidentProblems.$inferSelect)[];

/** In its hours, and one of the current problems is about one of its data sources or, if it has tags, of their tables. */
async function applies(tx: Transaction, policy: Policy, problems: Problems, now: Date): Promise<boolean> {
  if (!isWithin(policy.hours, now)) return false;
  const tagsOf: TagsOf = policy.tags === null ? () => [] : await loadProjectTags(tx, [policy.projectId]);
  return problems.some((problem) => problem.endedAt === null && isInScope(policy, problem, tagsOf));
}

/** The incident is, or each of its current problems is silenced or in maintenance. */
async function isSilenced(
  tx: Transaction,
  incident: Incident,
  problems: Problems,
  now: Date,
): Promise<boolean> {
  if (incident.silencedUntil !== null && incident.silencedUntil > now) return true;
  const current = problems.filter(({ endedAt }) => endedAt === null);
  if (current.length === 0) return false;
  const silenced = new Set<string>();
  for (const [of, table, ids] of [
    ["contract", contracts, current.flatMap(({ contractId }) => contractId ?? [])],
    ["subscription", subscriptions, current.flatMap(({ subscriptionId }) => subscriptionId ?? [])],
  ] as const) {
    if (ids.length === 0) continue;
    const rows = await tx
      .select({ id: table.id, until: table.silencedUntil })
      .from(table)
      .where(inArray(table.id, ids));
    for (const { id, until } of rows) if (until !== null && until > now) silenced.add(`${of} ${id}`);
  }
  const { projectId } = incident;
  const maintenanceOf = await loadMaintenance(tx, [projectId], now);
  for (const { contractId, subscriptionId, dataSourceIds, tables } of current) {
    if (silenced.has(contractId === null ? `subscription ${subscriptionId}` : `contract ${contractId}`))
      continue;
    if (!(await maintenanceOf({ projectId, dataSourceIds, tables: () => tables }))) return false;
  }
  return true;
}

/** At the end, also those to whom it was escalated. */
async function recipientsOf(tx: Transaction, { incidentId, policyId, step }: Step): Promise<number[]> {
  const rows = await tx
    .select()
    .from(incidentPolicyRecipients)
    .where(eq(incidentPolicyRecipients.policyId, policyId));
  const first = rows.flatMap(({ recipientId, isEscalation }) => (isEscalation ? [] : recipientId));
  const later = rows.flatMap(({ recipientId, isEscalation }) => (isEscalation ? recipientId : []));
  if (step === "Opened") return first;
  if (step === "Escalated") return later;
  const [escalated] = await tx
    .select()
    .from(incidentNotices)
    .where(
      and(
        eq(incidentNotices.incidentId, incidentId),
        eq(incidentNotices.policyId, policyId),
        eq(incidentNotices.step, "Escalated"),
      ),
    );
  return [...new Set([...first, ...(escalated ? later : [])])];
}
