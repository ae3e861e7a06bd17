import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db, type Transaction } from "../../db/client.ts";
import { ifGiven } from "../../db/listed.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { invalidRequest, Problem } from "../../errors.ts";
import { findRecipients, requireRecipients } from "../../notifications/service/recipients.ts";
import { getProject } from "../../projects/service.ts";
import { claimManaged, releaseManaged } from "../../stacks/service.ts";
import type { PolicyWrite } from "../schema.ts";
import { incidentPolicies, incidentPolicyRecipients } from "../tables.ts";

const notFound = () => new Problem("not_found", "Incident policy not found");
const isPresent = isNull(incidentPolicies.removedAt);

/** Those of the projects that the caller can access, by name. */
export async function listPolicies(ctx: SignedIn, { projectId }: { projectId?: number | undefined }) {
  const visible = inVisibleProject(ctx.principal, incidentPolicies.projectId);
  return { items: await load(ctx, and(visible, ifGiven(projectId, incidentPolicies.projectId))) };
}

/** Throws not_found if there is no such policy, or the caller cannot access its project. */
export async function getPolicy(ctx: SignedIn, id: number) {
  const [policy] = await load(ctx, eq(incidentPolicies.id, id));
  if (!policy || !maySeeProject(ctx.principal, policy.projectId)) throw notFound();
  return policy;
}

async function load(ctx: SignedIn, condition: SQL | undefined) {
  const rows = await db
    .select()
    .from(incidentPolicies)
    .where(and(isPresent, condition))
    .orderBy(asc(incidentPolicies.name), asc(incidentPolicies.id));
  if (rows.length === 0) return [];
  const linked = await db
    .select()
    .from(incidentPolicyRecipients)
    .where(
      inArray(
        incidentPolicyRecipients.policyId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(incidentPolicyRecipients.recipientId));
  const [recipients, sources] = await Promise.all([
    findRecipients(
      db,
      linked.map(({ recipientId }) => recipientId),
    ),
    listDataSources(ctx, {}),
  ]);
  const named = (all: readonly { id: number; name: string }[], ids: readonly number[]) =>
    ids.flatMap((id) => {
      const name = all.find((each) => each.id === id)?.name;
      return name === undefined ? [] : [{ id, name }];
    });
  return rows.map((row) => {
    const { dataSourceIds, lastDigestDay: _, createdAt: __, updatedAt: ___, removedAt: ____, ...rest } = row;
    const told = (isEscalation: boolean) =>
      named(
        recipients,
        linked.flatMap((each) =>
          each.policyId === row.id && each.isEscalation === isEscalation ? each.recipientId : [],
        ),
      );
    return {
      ...rest,
      dataSources: dataSourceIds === null ? null : named(sources.items, dataSourceIds),
      recipients: told(false),
      escalationRecipients: told(true),
    };
  });
}

/**
 * It applies to incidents from now on. Throws not_found for a project or recipient that the caller cannot access, and
 * invalid for those of another project.
 */
export async function createPolicy(
  ctx: SignedIn,
  { projectId, ...write }: PolicyWrite & { projectId: number },
) {
  await getProject(ctx, projectId);
  await requireSources(ctx, projectId, write);
  const id = await db.transaction(async (tx) => {
    const [created] = await tx
      .insert(incidentPolicies)
      .values({ projectId, ...columnsOf(write) })
      .returning({ id: incidentPolicies.id });
    if (!created) throw new Error("The insert returned no policy");
    await link(tx, ctx, { id: created.id, projectId }, write);
    await claimManaged(tx, ctx, { kind: "IncidentPolicy", id: created.id, projectId, revision: 1 });
    return created.id;
  });
  return getPolicy(ctx, id);
}

/** Replaces it. Throws like `createPolicy`, and conflict if the caller's revision is no longer current. */
export async function updatePolicy(
  ctx: SignedIn,
  { id, baseRevision, ...write }: PolicyWrite & { id: number; baseRevision?: number | undefined },
) {
  const { projectId } = await getPolicy(ctx, id);
  await requireSources(ctx, projectId, write);
  await db.transaction(async (tx) => {
    const which = and(eq(incidentPolicies.id, id), isPresent);
    const [stored] = await tx.select().from(incidentPolicies).where(which).for("no key update");
    if (!stored) throw notFound();
    const edited = { kind: "IncidentPolicy", id, revision: stored.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    const [was, columns] = [await recipientsOf(tx, id), columnsOf(write)];
    await tx.delete(incidentPolicyRecipients).where(eq(incidentPolicyRecipients.policyId, id));
    await link(tx, ctx, { id, projectId }, write);
    const revision = await nextRevision(tx, ctx, {
      ...edited,
      before: { ...pick(stored, columns), ...was },
      after: { ...columns, ...(await recipientsOf(tx, id)) },
    });
    await claimManaged(tx, ctx, { kind: "IncidentPolicy", id, projectId, revision });
    await tx
      .update(incidentPolicies)
      .set({ ...columns, revision })
      .where(which);
  });
  return getPolicy(ctx, id);
}

/** The stored values of these columns. */
const pick = <Row extends object>(row: Row, columns: Partial<Row>) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, row[name as keyof Row]]));

async function recipientsOf(tx: Transaction, id: number) {
  const rows = await tx
    .select()
    .from(incidentPolicyRecipients)
    .where(eq(incidentPolicyRecipients.policyId, id))
    .orderBy(asc(incidentPolicyRecipients.recipientId));
  const of = (isEscalation: boolean) =>
    rows.filter((row) => row.isEscalation === isEscalation).map(({ recipientId }) => recipientId);
  return { recipientIds: of(false), escalationRecipientIds: of(true) };
}

export async function removePolicy(ctx: SignedIn, id: number) {
  const { name } = await getPolicy(ctx, id);
  await db.transaction(async (tx) => {
    await releaseManaged(tx, ctx, { kind: "IncidentPolicy", id });
    await tx
      .update(incidentPolicies)
      .set({ removedAt: sql`clock_timestamp()` })
      .where(eq(incidentPolicies.id, id));
    // So that the recipients can be deleted.
    await tx.delete(incidentPolicyRecipients).where(eq(incidentPolicyRecipients.policyId, id));
  });
  return { name };
}

async function link(
  tx: Transaction,
  ctx: SignedIn,
  { id: policyId, projectId }: { id: number; projectId: number },
  { recipientIds, escalationRecipientIds }: PolicyWrite,
): Promise<void> {
  const belongsTo = "policy";
  const first = await requireRecipients(tx, ctx, recipientIds, {
    projectId,
    path: "recipientIds",
    belongsTo,
  });
  const later = await requireRecipients(tx, ctx, escalationRecipientIds, {
    ...{ projectId, path: "escalationRecipientIds", belongsTo },
  });
  await tx
    .insert(incidentPolicyRecipients)
    .values([
      ...first.map((recipientId) => ({ policyId, recipientId, isEscalation: false })),
      ...later.map((recipientId) => ({ policyId, recipientId, isEscalation: true })),
    ]);
}

const columnsOf = ({ name, enabled, minSeverity, ...write }: PolicyWrite) => ({
  ...{ name, enabled, minSeverity },
  dataSourceIds: write.dataSourceIds ? [...new Set(write.dataSourceIds)] : null,
  tags: write.tags ? [...new Set(write.tags)].sort() : null,
  hours: write.hours ?? null,
  digest: write.digest ?? null,
  escalateAfterMinutes: write.escalateAfterMinutes ?? null,
});

async function requireSources(
  ctx: SignedIn,
  projectId: number,
  { dataSourceIds }: PolicyWrite,
): Promise<void> {
  if (!dataSourceIds) return;
  const { items } = await listDataSources(ctx, { projectId });
  const own = new Set(items.map(({ id }) => id));
  const errors = dataSourceIds.flatMap((id, at) =>
    own.has(id) ? [] : [{ path: `dataSourceIds.${at}`, message: "is not a data source of the project" }],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}
