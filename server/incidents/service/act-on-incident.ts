import { and, eq, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { untilWords } from "../../audit/until-words.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { isUserWith, listPeopleWith } from "../../auth/service/people.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { silenceRow as silenceContractRow } from "../../data-quality/service/contracts.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { rejectPast, type Silence, silenceColumns } from "../../notifications/silence.ts";
import { silenceRow as silenceSubscriptionRow } from "../../subscriptions/service/subscriptions.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { incidentProblems, incidents } from "../tables.ts";
import { loadIncident } from "./load-incidents.ts";
import { record } from "./notice.ts";

/** What people do about an incident. Each is an entry in its timeline. */

const noticed = { noticedAt: sql`coalesce(${incidents.noticedAt}, clock_timestamp())` };

/** Someone looks after it. Conflict if someone else does already, or it is over. */
export async function acknowledgeIncident(ctx: SignedIn, id: number) {
  const { userId } = ctx.principal;
  const acknowledged = { acknowledgedAt: sql`clock_timestamp()`, acknowledgedById: userId };
  await change(
    ctx,
    id,
    {
      ...noticed,
      ...acknowledged,
      state: "Acknowledged",
      // Whoever acknowledges what is nobody's takes it.
      assigneeId: sql`coalesce(${incidents.assigneeId}, ${userId})`,
    },
    eq(incidents.state, "Open"),
  );
  await record(db, id, "Acknowledged", "", undefined, userId);
  return loadIncident(ctx, id);
}

/**
 * Closes it, although problems may go on: those open no other incident until they have ended and come back. Conflict if
 * it is over.
 */
export async function resolveIncident(
  ctx: SignedIn,
  { id, note }: { id: number; note?: string | null | undefined },
) {
  const { userId } = ctx.principal;
  await change(ctx, id, {
    ...noticed,
    state: "Resolved",
    resolvedAt: sql`clock_timestamp()`,
    resolvedById: userId,
  });
  await record(db, id, "Resolved", note ?? "", undefined, userId);
  return loadIncident(ctx, id);
}

/** People who may work on incidents in any project that the caller sees. */
export const listIncidentAssignees = (ctx: SignedIn) => listPeopleWith(ctx, "incidents:work");

type Assignment = { id: number; userId?: number | null | undefined; unlessAssigned?: boolean | undefined };

/** Assigns it to one of them, or to nobody. Conflict if it is over; with `unlessAssigned`, if someone else has it. */
export async function assignIncident(
  ctx: SignedIn,
  { id, userId = null, unlessAssigned = false }: Assignment,
) {
  const which = unlessAssigned
    ? or(isNull(incidents.assigneeId), userId === null ? undefined : eq(incidents.assigneeId, userId))
    : undefined;
  const { projectId } = await loadIncident(ctx, id);
  if (userId !== null && !(await isUserWith("incidents:work", userId, projectId)))
    throw new Problem("not_found", "User not found");
  await change(ctx, id, { ...(userId === null ? {} : noticed), assigneeId: userId }, which);
  const people = await namesOfUsers([userId]);
  const assignee = people.get(userId ?? 0)?.name ?? "nobody";
  await record(db, id, "Assigned", assignee, undefined, ctx.principal.userId);
  return loadIncident(ctx, id);
}

/**
 * Until then nobody is notified about the incident, nor about the subscriptions and contracts that have a problem in
 * it now, unless those are silenced for longer already. Conflict if it is over.
 */
export async function silenceIncident(ctx: SignedIn, { id, ...silence }: { id: number } & Silence) {
  const { userId } = ctx.principal;
  const { until = null } = silence;
  rejectPast(until);
  await change(ctx, id, silenceColumns(silence, userId));
  for (const problem of await currentSubjects(id)) {
    const isLonger = until !== null && problem.silencedUntil !== null && problem.silencedUntil > until;
    if (isLonger) continue;
    if (problem.contractId !== null) await silenceContractRow(ctx, { id: problem.contractId, ...silence });
    if (problem.subscriptionId !== null)
      await silenceSubscriptionRow(ctx, { id: problem.subscriptionId, ...silence });
  }
  await record(
    db,
    id,
    "Silenced",
    until === null ? "not anymore" : untilWords(silence.reason?.trim() || "Silenced", until.toISOString()),
    undefined,
    userId,
  );
  return loadIncident(ctx, id);
}

async function currentSubjects(incidentId: number) {
  return db
    .select({
      contractId: incidentProblems.contractId,
      subscriptionId: incidentProblems.subscriptionId,
      silencedUntil:
        sql<Date | null>`coalesce(${contracts.silencedUntil}, ${subscriptions.silencedUntil})`.mapWith(
          contracts.silencedUntil,
        ),
    })
    .from(incidentProblems)
    .leftJoin(contracts, eq(contracts.id, incidentProblems.contractId))
    .leftJoin(subscriptions, eq(subscriptions.id, incidentProblems.subscriptionId))
    .where(
      and(
        eq(incidentProblems.incidentId, incidentId),
        isNull(incidentProblems.endedAt),
        or(isNull(contracts.id), isNull(contracts.archivedAt)),
        or(isNull(subscriptions.id), isNull(subscriptions.archivedAt)),
      ),
    );
}

/** Also after it is over. */
export async function commentOnIncident(ctx: SignedIn, { id, text }: { id: number; text: string }) {
  await loadIncident(ctx, id);
  await record(db, id, "Commented", text, undefined, ctx.principal.userId);
  return loadIncident(ctx, id);
}

/** Throws not_found, and conflict if it is over or not one of `which`. */
async function change(
  ctx: SignedIn,
  id: number,
  set: PgUpdateSetSource<typeof incidents>,
  which?: SQL,
): Promise<void> {
  await loadIncident(ctx, id);
  const changed = await db
    .update(incidents)
    .set(set)
    .where(and(eq(incidents.id, id), ne(incidents.state, "Resolved"), which))
    .returning({ id: incidents.id });
  if (changed.length > 0) return;
  const { state, acknowledgedBy, assignee } = await loadIncident(ctx, id);
  if (state === "Resolved") throw new Problem("conflict", "Incident is resolved");
  const isTaken = "assigneeId" in set && !("state" in set);
  throw new Problem(
    "conflict",
    isTaken
      ? `${assignee?.name ?? "Someone"} has the incident already`
      : `${acknowledgedBy?.name ?? "Someone"} has acknowledged it already`,
  );
}
