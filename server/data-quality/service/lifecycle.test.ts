import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { listAttention } from "../../needs-attention/service/list-attention.ts";
import { notifications } from "../../notifications/tables.ts";
import { archiveSubscription } from "../../subscriptions/service/subscriptions.ts";
import { assignTask, getTask, listTasks, resolveTask } from "../../tasks/service/tasks.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin, asEditor, asViewer } from "../../test/factories/principals.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import type { ContractInput } from "../schema.ts";
import { contracts } from "../tables.ts";
import { archiveContract, assignContract, getContract, listOwners, silenceContract } from "./contracts.ts";
import { evaluateContract, evaluateDueContract } from "./evaluate.ts";

/** Silence, owner, and task of a contract. */

let ctx: SignedIn;
let dataSourceId: number;
let projectId: number;
let team: { id: number };
const six = Date.parse("2026-03-01T06:00:00.000Z");

beforeAll(async () => {
  ctx = await asAdmin();
  const source = await aDataSource();
  dataSourceId = source.id;
  projectId = source.projectId;
  team = await aRecipient({ projectId: source.projectId, name: "Team" });
  await sql.unsafe("create table measured (score numeric); insert into measured values (50)");
});

afterAll(closeSources);

const scores = async (score: number) => {
  await sql`update measured set score = ${score}`;
};

const contractOf = (contract: Partial<ContractInput> = {}) =>
  aContract(
    {
      ...{ name: "Orders", dataSourceId, tableName: "measured", recipientIds: [team.id] },
      rules: [aRule("CustomSql", { sql: "select (score >= 100)::int as passed, score from measured" })],
      ...contract,
    },
    ctx,
  );

/** Evaluates it as scheduled that many hours after six, and returns how many messages that made. */
async function scheduled({ id }: { id: number }, hours = 0): Promise<number> {
  const done = await evaluateDueContract(id, new Date(six + hours * 3_600_000));
  const evaluationId = "evaluationId" in done ? done.evaluationId : 0;
  return (await db.select().from(notifications).where(eq(notifications.causeId, evaluationId))).length;
}

const inAnHour = () => new Date(Date.now() + 3_600_000);

async function endSilence({ id }: { id: number }): Promise<void> {
  await db
    .update(contracts)
    .set({ silencedUntil: new Date(Date.now() - 1000) })
    .where(eq(contracts.id, id));
}

const itemsOf = async (name: string) =>
  (await listAttention(ctx, { projectId, page: 0, pageSize: 100 })).items.filter(
    ({ title }) => title === name,
  );

test("a silenced contract alerts nobody; the next scheduled run after the silence does", async () => {
  await scores(50);
  const contract = await contractOf({ name: "Silenced" });
  const silenced = await silenceContract(ctx, {
    ...{ id: contract.id, until: inAnHour(), reason: "The table is being loaded" },
  });
  expect(silenced).toMatchObject({
    silencedBy: { id: ctx.principal.userId },
    silenceReason: "The table is being loaded",
    // Not an edit.
    revision: contract.revision,
  });
  expect(await scheduled(contract)).toBe(0);
  expect((await getContract(ctx, contract.id)).openAlert).toBeNull();
  expect(await itemsOf("Silenced")).toEqual([]);
  await endSilence(contract);
  expect(await scheduled(contract, 1)).toBe(1);
  expect(await itemsOf("Silenced")).toMatchObject([
    { kind: "Contract", concern: "BelowThreshold", owner: { id: ctx.principal.userId } },
  ]);
});

test("a silence that someone has set stays unless it is meant to be replaced", async () => {
  const contract = await contractOf();
  const [first, second] = [inAnHour(), new Date(Date.now() + 7_200_000)];
  await silenceContract(ctx, { id: contract.id, until: first, unlessSilenced: true });
  const late = silenceContract(ctx, { id: contract.id, until: second, unlessSilenced: true });
  await expect(late).rejects.toThrow("Someone has silenced it already");
  expect((await getContract(ctx, contract.id)).silencedUntil).toEqual(first);
  await silenceContract(ctx, { id: contract.id, until: second });
  expect((await getContract(ctx, contract.id)).silencedUntil).toEqual(second);
  await endSilence(contract);
  await silenceContract(ctx, { id: contract.id, until: first, unlessSilenced: true });
});

test("an alert offers the silence and the task, and the task no longer once somebody has it", async () => {
  await scores(50);
  const contract = await contractOf({ createTasks: true, reminderHours: 1 });
  const offered = async (hours: number) => {
    const done = await evaluateDueContract(contract.id, new Date(six + hours * 3_600_000));
    const evaluationId = "evaluationId" in done ? done.evaluationId : 0;
    const [told] = await db.select().from(notifications).where(eq(notifications.causeId, evaluationId));
    return told?.content.actions?.map(({ path }) => path);
  };
  const silences = ["hour", "tomorrow"].map((span) => `/act/silence-contract/${contract.id}?span=${span}`);
  const first = await offered(0);
  const { openTaskId } = await getContract(ctx, contract.id);
  expect(first).toEqual([...silences, `/act/take-task/${openTaskId}`]);
  await assignTask(ctx, { id: openTaskId ?? 0, userId: ctx.principal.userId });
  await scores(30);
  expect(await offered(1)).toEqual(silences);
  await scores(100);
  expect(await offered(2)).toBeUndefined();
});

test("what happens to an open alert during a silence is told when it ends, unless it is over by then", async () => {
  await scores(50);
  const contract = await contractOf();
  expect(await scheduled(contract)).toBe(1);
  await silenceContract(ctx, { id: contract.id, until: inAnHour() });
  await scores(30);
  expect(await scheduled(contract, 1)).toBe(0);
  expect((await getContract(ctx, contract.id)).openAlert).toMatchObject({ lastToldScore: 50 });
  await silenceContract(ctx, { id: contract.id });
  expect(await scheduled(contract, 2)).toBe(1);
  await silenceContract(ctx, { id: contract.id, until: inAnHour() });
  await scores(100);
  expect(await scheduled(contract, 3)).toBe(0);
  expect((await getContract(ctx, contract.id)).openAlert).toBeNull();
});

test("ending a silence forgets who and why; a past end is refused", async () => {
  const contract = await contractOf();
  await silenceContract(ctx, { id: contract.id, until: inAnHour(), reason: "Why" });
  expect(await silenceContract(ctx, { id: contract.id, until: null, reason: "Ignored" })).toMatchObject({
    ...{ silencedUntil: null, silencedBy: null, silenceReason: null },
  });
  await expect(
    silenceContract(ctx, { id: contract.id, until: new Date(Date.now() - 1) }),
  ).rejects.toMatchObject({ code: "invalid" });
  await expect(silenceContract(ctx, { id: 2_000_000_000, until: inAnHour() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("the creator owns a contract until someone else who may change it does", async () => {
  const contract = await contractOf();
  expect(contract.owner).toMatchObject({ id: ctx.principal.userId });
  const [editor, viewer] = [await asEditor(), await asViewer()];
  const { userId } = editor.principal;
  expect((await assignContract(ctx, { id: contract.id, userId })).owner).toMatchObject({ id: userId });
  expect((await listOwners(ctx)).items.map(({ id }) => id)).toContain(userId);
  expect((await assignContract(ctx, { id: contract.id })).owner).toBeNull();
  await expect(
    assignContract(ctx, { id: contract.id, userId: viewer.principal.userId }),
  ).rejects.toMatchObject({ code: "not_found" });
});

const tasksOf = async ({ id: contractId }: { id: number }) =>
  (await listTasks(ctx, { contractId, page: 0, pageSize: 10 })).items;

test("a scheduled score below the threshold opens one task, which resolves when it recovers", async () => {
  await scores(50);
  const contract = await contractOf({ name: "With task", createTasks: true, recipientIds: [] });
  await evaluateContract(ctx, contract.id);
  expect(await tasksOf(contract)).toEqual([]);
  await scheduled(contract);
  await scores(40.5);
  await scheduled(contract, 1);
  const [task, ...others] = await tasksOf(contract);
  expect(others).toEqual([]);
  expect(task).toMatchObject({
    ...{ contractId: contract.id, subscriptionId: null, queryName: null, name: "With task" },
    ...{ status: "Open", latestScore: 40.5, latestRowCount: 0, executionCount: 2 },
  });
  expect((await getContract(ctx, contract.id)).openTaskId).toBe(task?.id);
  // The task stands for the contract.
  expect(await itemsOf("With task")).toMatchObject([
    { kind: "Task", id: task?.id, reason: "Score 40.5, below the threshold for 2 runs" },
  ]);
  // Not measured: no recovery.
  await sql`alter table measured rename to moved`;
  await scheduled(contract, 2);
  await sql`alter table moved rename to measured`;
  expect(await getTask(ctx, task?.id ?? 0)).toMatchObject({ status: "Open", executionCount: 3 });
  await scores(80);
  await scheduled(contract, 3);
  expect(await getTask(ctx, task?.id ?? 0)).toMatchObject({
    ...{ status: "Resolved", latestScore: 80, resolvedBy: null },
    resolutionNotes: "Auto-resolved: The score is back above the threshold",
  });
  await scores(79.99);
  await scheduled(contract, 4);
  expect(await tasksOf(contract)).toHaveLength(2);
});

test("a silence does not keep a task from opening, and a contract without tasks opens none", async () => {
  await scores(50);
  const silenced = await contractOf({ createTasks: true });
  await silenceContract(ctx, { id: silenced.id, until: inAnHour() });
  const without = await contractOf();
  await scheduled(silenced);
  await scheduled(without);
  expect(await tasksOf(silenced)).toHaveLength(1);
  expect(await tasksOf(without)).toEqual([]);
});

test("a task that was resolved by hand stays resolved, and another opens", async () => {
  await scores(50);
  const contract = await contractOf({ createTasks: true });
  await scheduled(contract);
  const [first] = await tasksOf(contract);
  await resolveTask(ctx, { id: first?.id ?? 0, resolutionNotes: "Known" });
  await scheduled(contract, 1);
  expect((await tasksOf(contract)).map(({ status }) => status)).toEqual(["Open", "Resolved"]);
});

test("the task of an archived contract is hidden, as that of an archived subscription", async () => {
  await scores(50);
  const contract = await contractOf({ name: "Archived", createTasks: true });
  await scheduled(contract);
  const [task] = await tasksOf(contract);
  await archiveContract(ctx, contract.id);
  expect(await tasksOf(contract)).toEqual([]);
  expect(await itemsOf("Archived")).toEqual([]);
  await expect(getTask(ctx, task?.id ?? 0)).rejects.toMatchObject({ code: "not_found" });
  const subscription = await aSubscription({}, ctx);
  const [opened] = await sql`
    insert into tasks (subscription_id, query_id, project_id, latest_row_count)
    values (${subscription.id}, ${subscription.queryId}, ${subscription.projectId}, 1) returning id`;
  expect(await getTask(ctx, opened?.id)).toMatchObject({ subscriptionId: subscription.id });
  await archiveSubscription(ctx, subscription.id);
  await expect(getTask(ctx, opened?.id)).rejects.toMatchObject({ code: "not_found" });
});
