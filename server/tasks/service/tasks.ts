import { type AnyColumn, and, asc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { isUserWith, listPeopleWith } from "../../auth/service/people.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db, inOneTransaction } from "../../db/client.ts";
import { ifAsked, ifGiven, orderBy, type Sorts } from "../../db/listed.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotification, type NotificationRequest } from "../../notifications/service/enqueue.ts";
import { queryNames } from "../../queries/service/query-names.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import type { TaskPriority } from "../kinds.ts";
import type { ListTasks, TaskSort } from "../schema.ts";
import { taskComments, tasks } from "../tables.ts";

type Filter = Partial<Omit<ListTasks, keyof Paging>>;

const names = queryNames();
const name = sql<string>`coalesce(${subscriptions.name}, ${names.name}, ${contracts.name})`;

/** Tasks of archived subscriptions and contracts are hidden. Each has one of the two. */
const isThere = sql`coalesce(${subscriptions.archivedAt}, ${contracts.archivedAt}) is null`;

/** Selected from tasks joined with what they are about. */
const withSource = () =>
  db
    .select({ task: tasks, queryName: names.name, name })
    .from(tasks)
    .leftJoin(subscriptions, eq(subscriptions.id, tasks.subscriptionId))
    .leftJoin(names, eq(names.id, tasks.queryId))
    .leftJoin(contracts, eq(contracts.id, tasks.contractId))
    .$dynamic();

type Row = Awaited<ReturnType<typeof withSource>>[number];

const isSnoozed = sql`coalesce(${tasks.snoozedUntil} > now(), false)`;

/** Each sort order's expressions and natural direction. */
const sorts: Sorts<TaskSort> = {
  Urgency: {
    by: [
      sql`case ${tasks.status} when 'Open' then 1 else 0 end`,
      sql`case when ${tasks.status} = 'Open' then ${tasks.priority} end`,
    ],
    natural: "Desc",
  },
  Name: { by: [sql`lower(${name})`], natural: "Asc" },
  Rows: { by: [sql`${tasks.latestRowCount}`], natural: "Desc" },
  Found: { by: [sql`${tasks.executionCount}`], natural: "Desc" },
  Opened: { by: [], natural: "Desc" },
};

/** A page of the tasks visible to the caller: open ones, most urgent first, then resolved ones, newest first. */
export async function listTasks({ principal }: SignedIn, filter: Filter & Paging) {
  const fits = and(
    isThere,
    inVisibleProject(principal, tasks.projectId),
    ifGiven(filter.projectId, tasks.projectId),
    ifGiven(filter.subscriptionId, tasks.subscriptionId),
    ifGiven(filter.contractId, tasks.contractId),
    ifGiven(filter.status, tasks.status),
    ifGiven(filter.priority, tasks.priority),
    ifGiven(filter.assigneeId, tasks.assigneeId),
    ifAsked(filter.unassigned, isNull(tasks.assigneeId)),
    ifAsked(filter.snoozed, isSnoozed),
    ...wordsIn(filter.search ?? "").map((word) => containsWord(name, word)),
  );
  return paged(
    filter,
    async () => {
      const counted = db.select({ tasks: sql<number>`count(*)::int` }).from(tasks);
      const [row] = await counted
        .leftJoin(subscriptions, eq(subscriptions.id, tasks.subscriptionId))
        .leftJoin(names, eq(names.id, tasks.queryId))
        .leftJoin(contracts, eq(contracts.id, tasks.contractId))
        .where(fits);
      return row?.tasks ?? 0;
    },
    async ({ limit, offset }) =>
      shown(
        await withSource()
          .where(fits)
          .orderBy(...orderBy(sorts, { sortBy: "Urgency", ...filter }, [tasks.id], "natural"))
          .limit(limit)
          .offset(offset),
      ),
  );
}

/**
 * Throws not_found if the task does not exist, what it is about is archived, or the caller cannot access its project.
 */
export async function getTask({ principal }: SignedIn, id: number) {
  const rows = await withSource().where(and(eq(tasks.id, id), isThere));
  const visible = rows.filter(({ task }) => maySeeProject(principal, task.projectId));
  const [task] = await shown(visible);
  if (!task) throw new Problem("not_found", "Task not found");
  return task;
}

async function shown(rows: Row[]) {
  const [people, titles] = await Promise.all([
    namesOfUsers(rows.flatMap(({ task: { assigneeId, resolvedById } }) => [assigneeId, resolvedById])),
    findSubscriptionTitles(rows.map(({ task }) => task.subscriptionId)),
  ]);
  return rows.map(({ task, ...named }) => {
    const { queryId: _, assigneeId, resolvedById, ...rest } = task;
    return {
      ...rest,
      ...named,
      name: titles.get(task.subscriptionId ?? 0) ?? named.name,
      subscriptionName: titles.get(task.subscriptionId ?? 0) ?? null,
      assignee: people.get(assigneeId ?? 0) ?? null,
      resolvedBy: people.get(resolvedById ?? 0) ?? null,
    };
  });
}

/** The open task of a contract, as a column of another query; null if it has none. */
export const openTaskOf = (contractId: AnyColumn) =>
  sql<
    number | null
  >`(select open.id from tasks open where open.contract_id = ${contractId} and open.status = 'Open' order by open.id desc limit 1)`;

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

/** Users that a task can be assigned to: those who may work on tasks in any project that the caller sees. */
export const listAssignees = (ctx: SignedIn) => listPeopleWith(ctx, "tasks:work");

type Assignment = { id: number; userId?: number | null | undefined; unlessAssigned?: boolean | undefined };

/** Assigns an open task to one of them, or unassigns it. With `unlessAssigned`, conflict if someone else has it. */
export async function assignTask(ctx: SignedIn, { id, userId = null, unlessAssigned = false }: Assignment) {
  const which = unlessAssigned
    ? or(isNull(tasks.assigneeId), ifGiven(userId ?? undefined, tasks.assigneeId))
    : undefined;
  const former = await getTask(ctx, id);
  const [{ projectId } = { projectId: 0 }] = await db
    .select({ projectId: tasks.projectId })
    .from(tasks)
    .where(eq(tasks.id, id));
  if (userId !== null && !(await isUserWith("tasks:work", userId, projectId)))
    throw new Problem("not_found", "User not found");
  const isNews = userId !== null && userId !== ctx.principal.userId && userId !== former.assignee?.id;
  if (!isNews || !isMailConfigured()) return change(ctx, id, { assigneeId: userId }, which);
  return inOneTransaction(async () => {
    const task = await change(ctx, id, { assigneeId: userId }, which);
    await db.transaction((tx) => enqueueNotification(tx, assignment(ctx, task, projectId, userId)));
    return task;
  });
}

const assignment = (
  { principal }: SignedIn,
  { id, name, priority }: Awaited<ReturnType<typeof getTask>>,
  projectId: number,
  userId: number,
): NotificationRequest => ({
  projectId,
  cause: { kind: "Task", id },
  // Someone who gets it again is told again.
  dedupeKey: `assigned/${userId}/${Date.now()}`,
  content: {
    title: `${principal.name} assigned you a task: ${name}`,
    tone: "Info",
    summary: `The task of ${name} is yours.`,
    facts: [{ label: "Priority", value: priority }],
    link: { label: "Open the task", path: `/tasks/${id}` },
  },
  userIds: [userId],
  topic: "Tasks",
});

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

/** Throws conflict if the task is resolved, or is not one of `which`: then someone else has it. */
async function change(ctx: SignedIn, id: number, set: Partial<typeof tasks.$inferInsert>, which?: SQL) {
  const isOpen: SQL | undefined = and(eq(tasks.id, id), eq(tasks.status, "Open"), which);
  const changed = await db.update(tasks).set(set).where(isOpen).returning({ id: tasks.id });
  const task = await getTask(ctx, id);
  if (changed.length > 0) return task;
  throw new Problem(
    "conflict",
    task.status === "Open" ? `${task.assignee?.name ?? "Someone"} has the task already` : "Task is resolved",
  );
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
