import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { users } from "../auth/tables.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { archiveSubscription } from "../subscriptions/service/subscriptions.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { aFinding, aSubscription } from "../test/factories/subscriptions.ts";
import { rest } from "../test/rest-client.ts";
import { autoResolvedNotes, recordNoFindings } from "./service/findings.ts";
import { listAssignees } from "./service/tasks.ts";

let ctx: SignedIn;
let of: { id: number; projectId: number };
let editor: Awaited<ReturnType<typeof aUser>>;
let cookie: string;

beforeAll(async () => {
  ctx = await asAdmin();
  of = await aQuery({ name: "Orders", dataSource: await aDataSource() }, ctx);
  editor = await aUser("Editor");
  cookie = await cookieOf(editor);
});
afterAll(closeSources);

let subscriptionId: number;
let taskId: number;
beforeEach(async () => {
  subscriptionId = (await aSubscription({ query: of }, ctx)).id;
  taskId = (await found(subscriptionId, 4)).taskId;
});

const found = (id: number, rowCount: number) =>
  aFinding({ id, queryId: of.id, projectId: of.projectId }, rowCount);

const send = (method: string, path: string, json?: unknown) =>
  rest(method, path, { cookie, ...(json !== undefined && { json }) });
const act = (action: string, json?: unknown) => send("POST", `/tasks/${taskId}/${action}`, json);

test("a new task is open, has normal priority, and is unassigned", async () => {
  expect((await send("GET", `/tasks/${taskId}`)).body).toEqual({
    id: taskId,
    projectId: expect.any(Number),
    subscriptionId,
    contractId: null,
    queryName: "Orders",
    subscriptionName: "Orders",
    name: "Orders",
    status: "Open",
    priority: "Normal",
    assignee: null,
    snoozedUntil: null,
    latestRowCount: 4,
    latestScore: null,
    executionCount: 1,
    createdAt: expect.any(String),
    resolvedAt: null,
    resolvedBy: null,
    resolutionNotes: null,
  });
});

test("a subscription has at most one open task, even when executions find rows concurrently", async () => {
  const made = await Promise.all([5, 6, 7].map((rowCount) => found(subscriptionId, rowCount)));
  expect(made.map((each) => each.taskId)).toEqual([taskId, taskId, taskId]);
  expect((await send("GET", `/tasks/${taskId}`)).body).toMatchObject({ executionCount: 4 });
});

test("a task can be assigned, snoozed, made urgent, and commented on", async () => {
  expect((await act("assign", { userId: editor.id })).body.assignee).toEqual({
    id: editor.id,
    name: editor.name,
  });
  expect((await act("priority", { priority: "Critical" })).body.priority).toBe("Critical");
  expect((await act("snooze", { until: "2999-01-01T00:00:00Z" })).body.snoozedUntil).toBe(
    "2999-01-01T00:00:00.000Z",
  );
  expect((await act("snooze")).body.snoozedUntil).toBeNull();
  expect((await act("assign")).body.assignee).toBeNull();
  const comment = await act("comments", { text: " I am on it. Já vím. 好 " });
  expect(comment.status).toBe(201);
  expect(comment.headers.get("location")).toBe(`/svc/api/tasks/${taskId}/comments`);
  expect((await send("GET", `/tasks/${taskId}/comments`)).body.items).toEqual([
    {
      id: comment.body.id,
      user: { id: editor.id, name: editor.name },
      text: "I am on it. Já vím. 好",
      createdAt: expect.any(String),
    },
  ]);
});

test("a task is resolved with notes once; assigning, snoozing, or prioritizing it then is a conflict", async () => {
  const resolved = await act("resolve", { resolutionNotes: "Loaded again" });
  expect(resolved.body).toMatchObject({
    status: "Resolved",
    resolvedBy: { id: editor.id },
    resolutionNotes: "Loaded again",
    resolvedAt: expect.any(String),
  });
  expect((await act("resolve", { resolutionNotes: "No, I did" })).body).toEqual(resolved.body);
  for (const [action, json] of [
    ["assign", { userId: editor.id }],
    ["snooze", { until: "2999-01-01T00:00:00Z" }],
    ["priority", { priority: "Low" }],
  ] as const) {
    const { status, body } = await act(action, json);
    expect([action, status, body.detail]).toEqual([action, 409, "Task is resolved"]);
  }
  expect((await act("comments", { text: "It came back" })).status).toBe(201);
  expect((await found(subscriptionId, 1)).taskId).not.toBe(taskId);
});

test("a task resolves automatically when nothing is found, and says so", async () => {
  expect(await db.transaction((tx) => recordNoFindings(tx, [{ subscriptionId, at: new Date() }]))).toEqual([
    taskId,
  ]);
  expect(await db.transaction((tx) => recordNoFindings(tx, [{ subscriptionId, at: new Date() }]))).toEqual(
    [],
  );
  expect((await send("GET", `/tasks/${taskId}`)).body).toMatchObject({
    ...{ status: "Resolved", resolvedBy: null, latestRowCount: 0 },
    resolutionNotes: autoResolvedNotes,
  });
  expect(autoResolvedNotes).toBe("Auto-resolved: Query returned 0 results");
});

describe("bad input", () => {
  test.each([
    ["snooze", { until: "2020-01-01T00:00:00Z" }, 400],
    ["snooze", { until: "2999-01-01T00:00:00" }, 400],
    ["snooze", { until: "tomorrow" }, 400],
    ["assign", { userId: 2_000_000_000 }, 404],
    ["priority", { priority: "Urgent" }, 400],
    ["priority", {}, 400],
    ["comments", { text: "   " }, 400],
    ["comments", {}, 400],
    ["resolve", { status: "Open" }, 400],
  ])("%s with %j is a %i", async (action, json, status) => {
    expect((await act(action, json)).status).toBe(status);
  });

  test("only users who can work on tasks are listed and can be assigned", async () => {
    const viewer = await aUser("Viewer");
    const ids = (await listAssignees(await asAdmin())).items.map(({ id }) => id);
    expect(ids).toContain(editor.id);
    expect(ids).not.toContain(viewer.id);
    expect((await act("assign", { userId: viewer.id })).status).toBe(404);
  });

  test("a disabled user cannot be assigned", async () => {
    const gone = await aUser("Editor");
    await db.update(users).set({ enabled: false }).where(eq(users.id, gone.id));
    expect((await act("assign", { userId: gone.id })).status).toBe(404);
  });
});

test("the most urgent tasks come first, resolved ones last; filters combine", async () => {
  const project = { query: await aQuery({ dataSource: await aDataSource() }, ctx) };
  const tasks = [];
  for (const priority of ["Low", "Critical", "Normal"]) {
    const watch = await aSubscription(project, ctx);
    const { taskId: id } = await aFinding(
      { id: watch.id, queryId: project.query.id, projectId: project.query.projectId },
      1,
    );
    await send("POST", `/tasks/${id}/priority`, { priority });
    tasks.push({ id, watch });
  }
  const [low, critical, normal] = tasks.map(({ id }) => id);
  await send("POST", `/tasks/${normal}/resolve`);
  await send("POST", `/tasks/${low}/assign`, { userId: editor.id });
  const list = async (query: string) =>
    (await send("GET", `/tasks?projectId=${project.query.projectId}${query}`)).body.items.map(
      ({ id }: { id: number }) => id,
    );
  expect(await list("")).toEqual([critical, low, normal]);
  expect(await list("&status=Open")).toEqual([critical, low]);
  expect(await list("&status=Resolved")).toEqual([normal]);
  expect(await list(`&status=Open&assigneeId=${editor.id}`)).toEqual([low]);
  expect(await list("&pageSize=1&page=1")).toEqual([low]);

  await archiveSubscription(ctx, tasks[0]?.watch.id ?? 0);
  expect(await list("")).toEqual([critical, normal]);
  expect((await send("GET", `/tasks/${low}`)).status).toBe(404);
});
