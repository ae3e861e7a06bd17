import { and, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { withRules } from "../../data-quality/service/add-rules.ts";
import { createContract, getContract, updateContract } from "../../data-quality/service/contracts.ts";
import { db, inOneTransaction, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { acceptAdded } from "../../findings/service/decide-findings.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { dryRun } from "../../queries/dry-run.ts";
import { archiveQuery } from "../../queries/service/archive.ts";
import { listOwnedQueries, type OwnedQuery } from "../../queries/service/owned-queries.ts";
import { createQuery, updateQuery } from "../../queries/service/save-query.ts";
import { findPendingVersionNumber } from "../../queries/service/versions.ts";
import { createSubscriptionInput } from "../../subscriptions/schema.ts";
import {
  countSubscriptionsByOwner,
  findOwnedSubscription,
} from "../../subscriptions/service/owned-subscriptions.ts";
import { archiveSubscription, createSubscription } from "../../subscriptions/service/subscriptions.ts";
import { plural } from "../../text.ts";
import { fieldErrors } from "../../trpc.ts";
import { actionHash } from "../action-hash.ts";
import { soleSql } from "../check-actions.ts";
import { contractOf, ruleWriteOf } from "../contract-actions.ts";
import { actorNotification } from "../notification.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Action } from "../schema.ts";
import { actorActions, actorExecutions } from "../tables.ts";
import { executionLeases } from "./leases.ts";
import { lockActor, recipientIdsOf, type StoredActor } from "./load-actors.ts";
import { loadActions, type StoredAction } from "./load-plans.ts";

type Result = NonNullable<Action["result"]>;
type Of<Kind extends ProposedAction["kind"]> = Extract<ProposedAction, { kind: Kind }>;

/** Whose actions run, on whose behalf, and under which lease. */
export type Run = { actor: StoredActor; ctx: SignedIn; lease: Lease };

/**
 * Runs one action, and marks it in the same transaction as its effect: if interrupted at any point and retried, it is
 * done once. Everything that a reviewer was shown is checked again here, by the same rules as a person's work. Throws
 * Problem for what cannot be done, and LeaseLost.
 */
export async function runAction(run: Run, action: StoredAction): Promise<Result> {
  if (actionHash(action.proposed, action.facts) !== action.hash)
    throw new Problem("conflict", "The action differs from the one that was approved");
  const { proposed } = action;
  switch (proposed.kind) {
    case "CreateQuery":
      return create(run, action, proposed);
    case "CreateSubscription":
      return subscribe(run, action, proposed);
    case "RefineQuery":
      return refine(run, action, proposed);
    case "ArchiveQuery":
      return archive(run, action, proposed);
    case "ArchiveSubscription":
      return unsubscribe(run, action, proposed);
    case "SendNotification":
      return notify(run, action, proposed);
    case "CreateContract":
      return guard(run, action, proposed);
    case "AddRules":
      return add(run, action, proposed);
  }
}

async function create(run: Run, action: StoredAction, { name, description, sql }: Of<"CreateQuery">) {
  const { actor, ctx } = run;
  await rejectUnsafe(run, sql);
  const { id: queryId } = await createQuery(
    ctx,
    {
      projectId: actor.projectId,
      name: name.trim(),
      description: description || null,
      steps: [{ dataSourceId: actor.dataSourceId, sql }],
      changeSummary: `Created by the AI actor ${actor.name}`,
    },
    {
      ownerActorId: actor.id,
      alongside: (tx, id) =>
        done(tx, run, action, { queryId: id }, async ({ maxQueries }) => {
          const { length } = await listOwnedQueries([actor.id], tx);
          if (length > maxQueries) throw new Problem("rejected", `MaxQueries is ${maxQueries}`);
        }),
    },
  );
  return { queryId };
}

async function subscribe(run: Run, action: StoredAction, proposed: Of<"CreateSubscription">) {
  const { actor, ctx } = run;
  const queryId = proposed.queryId ?? (await createdQuery(action, proposed.queryName ?? ""));
  await getOwnQuery(run, queryId);
  const write = createSubscriptionInput.safeParse({
    queryId,
    cronExpression: proposed.cronExpression,
    timezone: proposed.timezone,
    // What it finds needs someone's attention: it shows in Control Tower even if nobody is notified.
    createTasks: true,
    recipientIds: await recipientIdsOf(actor.id),
  });
  if (!write.success) {
    const [first] = fieldErrors(write.error);
    throw new Problem("rejected", `${first?.path} ${first?.message}`);
  }
  const { id } = await createSubscription(ctx, write.data, {
    aiActorId: actor.id,
    alongside: (tx, subscriptionId) =>
      done(tx, run, action, { queryId, subscriptionId }, async ({ maxSubscriptionsPerQuery: limit }) => {
        const { own } = await countSubscriptionsByOwner(tx, queryId, actor.id);
        if (own > limit) throw new Problem("rejected", `MaxSubscriptionsPerQuery is ${limit}`);
      }),
  });
  return { queryId, subscriptionId: id };
}

/** The query created by an earlier action of the same plan. */
async function createdQuery({ planId, executionId }: StoredAction, name: string): Promise<number> {
  const together = await loadActions(
    planId === null ? eq(actorActions.executionId, executionId ?? 0) : eq(actorActions.planId, planId),
  );
  const made = together.find(
    ({ proposed, status }) =>
      proposed.kind === "CreateQuery" && status === "Succeeded" && proposed.name.trim() === name.trim(),
  );
  if (made?.result?.queryId === undefined) throw new Problem("conflict", `The query ${name} was not created`);
  return made.result.queryId;
}

async function refine(run: Run, action: StoredAction, { queryId, sql, reasoning }: Of<"RefineQuery">) {
  const { actor, ctx } = run;
  const query = await getOwnQuery(run, queryId);
  if (query.isLocked) throw new Problem("conflict", "Query is locked");
  const [step] = query.steps;
  if (!step || soleSql(query, actor.dataSourceId) === null)
    throw new Problem(
      "conflict",
      "A user gave this query several steps, and actors only change queries with one step",
    );
  await rejectUnsafe(run, sql);
  const result: Result = { queryId };
  const { folderId, name, description } = query;
  await updateQuery(
    ctx,
    {
      ...{ id: queryId, folderId, name, description },
      steps: [{ name: step.name, dataSourceId: actor.dataSourceId, sql }],
      changeSummary: `AI actor ${actor.name}: ${reasoning}`.slice(0, 1000),
      ...(action.facts.baseVersion !== undefined && { baseVersion: action.facts.baseVersion }),
    },
    undefined,
    async (tx) => {
      const pendingVersion = await findPendingVersionNumber(tx, queryId);
      if (pendingVersion !== null) result.pendingVersion = pendingVersion;
      await done(tx, run, action, result);
    },
  );
  return result;
}

async function archive(run: Run, action: StoredAction, { queryId }: Of<"ArchiveQuery">) {
  await getOwnQuery(run, queryId);
  const { others } = await countSubscriptionsByOwner(db, queryId, run.actor.id);
  if (others > 0)
    throw new Problem("conflict", `The query is run by ${plural(others, "subscription")} of people`);
  const result: Result = { queryId };
  await archiveQuery(run.ctx, { id: queryId, cascade: true }, async (tx, approvalId) => {
    if (approvalId !== null) result.approvalId = approvalId;
    await done(tx, run, action, result);
  });
  return result;
}

async function unsubscribe(run: Run, action: StoredAction, { subscriptionId }: Of<"ArchiveSubscription">) {
  const found = await findOwnedSubscription(db, run.actor.id, subscriptionId);
  if (!found) throw new Problem("rejected", `Subscription ${subscriptionId} does not belong to this actor`);
  const result: Result = { queryId: found.queryId, subscriptionId };
  await archiveSubscription(run.ctx, subscriptionId, (tx) => done(tx, run, action, result));
  return result;
}

async function notify(run: Run, action: StoredAction, proposed: Of<"SendNotification">): Promise<Result> {
  const { actor, lease } = run;
  const recipientIds = await recipientIdsOf(actor.id);
  if (recipientIds.length === 0) throw new Problem("rejected", "The actor has no default recipients");
  await db.transaction(async (tx) => {
    await done(tx, run, action, {});
    await enqueueNotification(tx, {
      projectId: actor.projectId,
      cause: { kind: "Actor", id: lease.id },
      dedupeKey: `action/${action.index}`,
      content: actorNotification(actor, proposed),
      recipientIds,
    });
  });
  return {};
}

/** A contract of the table, and notifies whom the actor's subscriptions notify. */
async function guard(run: Run, action: StoredAction, proposed: Of<"CreateContract">): Promise<Result> {
  const { actor, ctx } = run;
  const recipientIds = await recipientIdsOf(actor.id);
  const { write, errors } = contractOf(proposed, { dataSourceId: actor.dataSourceId, recipientIds });
  if (!write) throw new Problem("rejected", errors.join("; "));
  return inOneTransaction(async () => {
    const { id } = await createContract(ctx, write);
    return rulesAdded(run, action, proposed, id);
  });
}

async function add(run: Run, action: StoredAction, proposed: Of<"AddRules">): Promise<Result> {
  const { actor, ctx } = run;
  const { contractId, rules } = proposed;
  return inOneTransaction(async () => {
    const contract = await getContract(ctx, contractId);
    if (contract.dataSourceId !== actor.dataSourceId)
      throw new Problem("rejected", `Contract ${contractId} is not of the actor's data source`);
    const update = withRules(contract, rules.map(ruleWriteOf));
    await updateContract(ctx, { ...update, baseRevision: contract.revision });
    return rulesAdded(run, action, proposed, contractId);
  });
}

/** Marks the action, and accepts the findings whose rules these are. */
async function rulesAdded(
  run: Run,
  action: StoredAction,
  { rules }: Of<"CreateContract" | "AddRules">,
  contractId: number,
): Promise<Result> {
  for (const { findingId, type, configuration } of rules)
    if (findingId !== null)
      await acceptAdded(run.ctx, { id: findingId, contractId, rule: { type, configuration } });
  const result: Result = { contractId };
  await db.transaction((tx) => done(tx, run, action, result));
  return result;
}

async function getOwnQuery({ actor }: Run, queryId: number): Promise<OwnedQuery> {
  const query = (await listOwnedQueries([actor.id])).find(({ id }) => id === queryId);
  if (!query) throw new Problem("rejected", `Query ${queryId} does not belong to this actor`);
  return query;
}

/** Applies the gates of a person's SQL, at the moment it would be stored. */
async function rejectUnsafe({ actor, ctx }: Run, sql: string): Promise<void> {
  const { valid, issues } = await dryRun(ctx, { dataSourceId: actor.dataSourceId, sql, parameters: {} });
  if (!valid)
    throw new Problem("rejected", `The SQL was refused: ${issues.map(({ error }) => error).join("; ")}`);
}

/**
 * Marks an action and records it in the audit log, in the transaction of its effect, with the actor locked, provided
 * that the lease still holds.
 */
async function done(
  tx: Transaction,
  { actor, ctx, lease }: Run,
  action: StoredAction,
  result: Result,
  rejectBeyondLimits: (actor: StoredActor) => Promise<void> = async () => {},
): Promise<void> {
  const current = await lockActor(tx, actor.id);
  if (current.status === "Archived") throw new Problem("conflict", "The actor was archived");
  await rejectBeyondLimits(current);
  await holdLease(tx, lease);
  const marked = await tx
    .update(actorActions)
    .set({ status: "Succeeded", result, finishedAt: new Date() })
    .where(and(eq(actorActions.id, action.id), eq(actorActions.status, "Proposed")))
    .returning({ id: actorActions.id });
  if (marked.length === 0) throw new LeaseLost("Another process has already run this action");
  const what = objectOf(action.proposed, result, current);
  await ctx.record?.({ action: `actors.run${action.proposed.kind}`, ...what }, tx);
}

/** The object named in the audit log. */
function objectOf(proposed: ProposedAction, result: Result, actor: StoredActor) {
  switch (proposed.kind) {
    case "CreateQuery":
      return { objectKind: "query", objectId: result.queryId ?? null, detail: proposed.name };
    case "RefineQuery":
    case "ArchiveQuery":
      return { objectKind: "query", objectId: proposed.queryId };
    case "CreateSubscription":
      return { objectKind: "subscription", objectId: result.subscriptionId ?? null };
    case "ArchiveSubscription":
      return { objectKind: "subscription", objectId: proposed.subscriptionId };
    case "SendNotification":
      return { objectKind: "actor", objectId: actor.id, detail: proposed.subject };
    case "CreateContract":
      return { objectKind: "contract", objectId: result.contractId ?? null, detail: proposed.name };
    case "AddRules":
      return {
        ...{ objectKind: "contract", objectId: proposed.contractId },
        detail: proposed.rules.map(({ name }) => name).join(", "),
      };
  }
}

/** Marks an action that could not be done. */
export async function markFailed(lease: Lease, action: StoredAction, error: string): Promise<void> {
  await db.transaction(async (tx) => {
    await holdLease(tx, lease);
    await tx
      .update(actorActions)
      .set({ status: "Failed", error: error.slice(0, 2000), finishedAt: new Date() })
      .where(and(eq(actorActions.id, action.id), eq(actorActions.status, "Proposed")));
  });
}

async function holdLease(tx: Transaction, lease: Lease): Promise<void> {
  const held = await tx
    .select({ id: actorExecutions.id })
    .from(actorExecutions)
    .where(executionLeases.isHeldBy(lease))
    .for("share");
  if (held.length === 0) throw new LeaseLost("The execution was taken over");
}
