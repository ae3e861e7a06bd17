import { and, asc, desc, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { isUserWith, listPeopleWith } from "../../auth/service/users.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { findQueryNames } from "../../queries/service/query-names.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import type { TaskPriority } from "../schema.ts";
import { taskComments, tasks } from "../tables.ts";

type Filter = {
  projectId?: number | undefined;
  subscriptionId?: number | undefined;
  status?: "Open" | "Resolved" | undefined;
  assigneeId?: number | undefined;
};

/** Tasks of archived subscriptions are hidden. */
const isThere = exists(
  db
    .select({ one: sql`1` })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, tasks.subscriptionId), isNull(subscriptions.archivedAt))),
);

/** A page of the tasks visible to the caller: open ones, most urgent first, then resolved ones, newest first. */
export async function listTasks({ principal }: SignedIn, filter: Filter & Paging) {
  const fits = and(
    isThere,
    inVisibleProject(principal, tasks.projectId),
    filter.projectId === undefined ? undefined : eq(tasks.projectId, filter.projectId),
    filter.subscriptionId === undefined ? undefined : eq(tasks.subscriptionId, filter.subscriptionId),
    filter.status === undefined ? undefined : eq(tasks.status, filter.status),
    filter.assigneeId === undefined ? undefined : eq(tasks.assigneeId, filter.assigneeId),
  );
  const urgency = sql`case when ${tasks.status} = 'Open' then ${tasks.priority} end desc nulls last`;
  return paged(
    filter,
    () => db.$count(tasks, fits),
    async ({ limit, offset }) =>
      shown(
        await db
          .select()
          .from(tasks)
          .where(fits)
          .orderBy(asc(tasks.status), urgency, desc(tasks.id))
          .limit(limit)
          .offset(offset),
      ),
  );
}

/**
 * Throws not_found if the task does not exist, its subscription is archived, or the caller cannot access its project.
 */
export async function getTask({ principal }: SignedIn, id: number) {
  const rows = await db
    .select()
    .from(tasks)
    .where(and(eq(tasks.id, id), isThere));
  const visible = rows.filter(({ projectId }) => maySeeProject(principal, projectId));
  const [task] = await shown(visible);
  if (!task) throw new Problem("not_found", "Task not found");
  return task;
}

async function shown(rows: (typeof tasks.$inferSelect)[]) {
  const [people, queryNames] = await Promise.all([
    namesOfUsers(rows.flatMap(({ assigneeId, resolvedById }) => [assigneeId, resolvedById])),
    findQueryNames(rows.map(({ queryId }) => queryId)),
  ]);
  return rows.map(({ projectId: _, queryId, assigneeId, resolvedById, ...task }) => ({
    ...task,
    queryName: queryNames.get(queryId) ?? "",
    assignee: people.get(assigneeId ?? 0) ?? null,
    resolvedBy: people.get(resolvedById ?? 0) ?? null,
  }));
}

/** Resolves a task. A resolved task stays unchanged. */
export async function resolveTask(
  ctx: SignedIn,
  { id, resolutionNotes }: { id: number; resolutionNotes?: string | null | undefined },
) {
  await getTask(ctx, id);
  await db
    .update(tasks)
    .set({
      status: "Resolved",
      resolvedAt: sql`clock_timestamp()`,
      resolvedById: ctx.principal.userId,
      resolutionNotes: resolutionNotes?.trim() || null,
    })
    .where(and(eq(tasks.id, id), eq(tasks.status, "Open")));
  return getTask(ctx, id);
}

/** Users that a task can be assigned to: those who may work on tasks in any project. */
export const listAssignees = () => listPeopleWith("tasks:work");

/** Assigns an open task to one of them, or unassigns it. */
export async function assignTask(
  ctx: SignedIn,
  { id, userId = null }: { id: number; userId?: number | null | undefined },
) {
  await getTask(ctx, id);
  if (userId !== null && !(await isUserWith("tasks:work", userId)))
    throw new Problem("not_found", "User not found");
  return change(ctx, id, { assigneeId: userId });
}

/** Snoozes an open task until a future time, or wakes it. */
export async function snoozeTask(
  ctx: SignedIn,
  { id, until = null }: { id: number; until?: Date | null | undefined },
) {
  await getTask(ctx, id);
  if (until !== null && until.getTime() <= Date.now()) {
    const message = "must be in the future";
    throw new Problem("invalid", `until ${message}`, { errors: [{ path: "until", message }] });
  }
  return change(ctx, id, { snoozedUntil: until });
}

export async function prioritizeTask(
  ctx: SignedIn,
  { id, priority }: { id: number; priority: TaskPriority },
) {
  await getTask(ctx, id);
  return change(ctx, id, { priority });
}

/** Throws conflict if the task is resolved. */
async function change(ctx: SignedIn, id: number, set: Partial<typeof tasks.$inferInsert>) {
  const isOpen: SQL | undefined = and(eq(tasks.id, id), eq(tasks.status, "Open"));
  const changed = await db.update(tasks).set(set).where(isOpen).returning({ id: tasks.id });
  if (changed.length === 0) throw new Problem("conflict", "Task is resolved");
  return getTask(ctx, id);
}

/** A task's comments, oldest first. */
export async function listComments(ctx: SignedIn, taskId: number) {
  await getTask(ctx, taskId);
  const rows = await db
    .select()
    .from(taskComments)
    .where(eq(taskComments.taskId, taskId))
    .orderBy(asc(taskComments.id));
  const people = await namesOfUsers(rows.map(({ userId }) => userId));
  return {
    items: rows.map(({ id, userId, text, createdAt }) => ({
      id,
      user: people.get(userId) ?? { id: userId, name: "" },
      text,
      createdAt,
    })),
  };
}

/** Adds a comment; resolved tasks accept comments too. */
export async function commentOnTask(ctx: SignedIn, { id, text }: { id: number; text: string }) {
  await getTask(ctx, id);
  const { userId, name } = ctx.principal;
  const [comment] = await db.insert(taskComments).values({ taskId: id, userId, text }).returning();
  if (!comment) throw new Error("The insert returned no comment");
  const people = await namesOfUsers([userId]);
  return {
    id: comment.id,
    user: people.get(userId) ?? { id: userId, name },
    text: comment.text,
    createdAt: comment.createdAt,
  };
}
