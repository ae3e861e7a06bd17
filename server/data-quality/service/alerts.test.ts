import { eq, sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { LeaseLost } from "../../jobs/leases.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluations } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { archiveContract, getContract, updateContract } from "./contracts.ts";
import { evaluateContract, evaluateDueContract, startEvaluation } from "./evaluate.ts";
import { getEvaluation } from "./history.ts";
import { beginEvaluation, evaluationLeases } from "./leases.ts";
import { runLeasedEvaluation } from "./run-leased-evaluation.ts";

/** Whom an evaluation alerts, through the outbox and the ledger. */

let ctx: SignedIn;
let dataSourceId: number;
let team: { id: number };
let onCall: { id: number };
const six = new Date("2026-03-01T06:00:00.000Z");
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asAdmin();
  const source = await aDataSource();
  dataSourceId = source.id;
  team = await aRecipient({ projectId: source.projectId, name: "Team" });
  onCall = await aRecipient({ projectId: source.projectId, name: "On call" });
  await sql.unsafe("create table orders (id int); insert into orders values (1), (2), (3), (4)");
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

const scores = (score: number) =>
  aRule(
    "CustomSql",
    { sql: `select 0 as passed, ${score} as score, 'so many' as actual_value, 'Too few' as message` },
    { name: "Enough orders" },
  );
const sleeps = aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.4)" }, { name: "Sleeps" });

const input = (contract: Partial<ContractInput>): ContractInput => ({
  name: "Orders",
  dataSourceId,
  tableName: "orders",
  cronExpression: "0 6 * * *",
  recipientIds: [team.id, onCall.id],
  rules: [scores(50)],
  ...contract,
});
const contractOf = (contract: Partial<ContractInput> = {}) => aContract(input(contract), ctx);

/** Evaluates it as scheduled, and returns what that added to the outbox. */
async function scheduled(contract: { id: number }, at = six) {
  const done = await evaluateDueContract(contract.id, at);
  return alertsOf("evaluationId" in done ? done.evaluationId : 0);
}

const alertsOf = (evaluationId: number) =>
  db.select().from(notifications).where(eq(notifications.causeId, evaluationId));

async function expireLease(evaluationId: number) {
  await db
    .update(evaluations)
    .set({ leaseUntil: query`now() - interval '1 second'` })
    .where(eq(evaluations.id, evaluationId));
}

async function untilItSleeps(evaluationId: number) {
  const isAtItsSecondRule = async () => (await getEvaluation(ctx, evaluationId)).progress.done >= 1;
  await vi.waitUntil(isAtItsSecondRule, { timeout: 15_000, interval: 20 });
}

test("a scheduled evaluation below the threshold notifies every recipient, with all details", async () => {
  const contract = await contractOf({
    rules: [
      scores(50),
      aRule("Volume", { minRows: 4 }),
      aRule("NullRate", { column: "gone", maxNullPercent: 0 }),
    ],
  });
  const [alert, ...others] = await scheduled(contract);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    causeKind: "Evaluation",
    subject: "[Data Quality] Orders",
    content: {
      title: "[Data Quality] Orders",
      // (50 + 100 + 0) / 3
      facts: [
        { label: "Overall score", value: "50" },
        { label: "Threshold", value: "80" },
        { label: "Table", value: "public.orders" },
        { label: "Rules passed", value: "1" },
        { label: "Rules failed", value: "2" },
      ],
      groups: [
        {
          title: "Enough orders",
          facts: [
            { label: "Score", value: "50" },
            { label: "Expected", value: "passed = 1, got 0" },
            { label: "Actual", value: "so many" },
            { label: "Message", value: "Too few" },
          ],
        },
        {
          title: "NullRate",
          facts: [
            { label: "Score", value: "0" },
            { label: "Message", value: 'Execution failed: column "gone" does not exist' },
          ],
        },
      ],
      link: { path: `/data-quality/contracts/${contract.id}` },
    },
  });
  const told = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, alert?.id ?? 0))
    .orderBy(deliveries.id);
  expect(told).toMatchObject([
    { recipientId: team.id, status: "Queued" },
    { recipientId: onCall.id, status: "Queued" },
  ]);
});

test("a score at the threshold is silent, and one hundredth below is not", async () => {
  expect(await scheduled(await contractOf({ rules: [scores(80)] }))).toHaveLength(0);
  expect(await scheduled(await contractOf({ rules: [scores(80.01)] }))).toHaveLength(0);
  expect(await scheduled(await contractOf({ rules: [scores(79.99)] }))).toHaveLength(1);
  // Scores are rounded before they are compared: this one is 80.00.
  expect(await scheduled(await contractOf({ rules: [scores(79.996)] }))).toHaveLength(0);
});

test("a manual evaluation never alerts, and neither does one that someone joined manually", async () => {
  const contract = await contractOf();
  expect(await alertsOf((await evaluateContract(ctx, contract.id)).id)).toEqual([]);
  const started = await startEvaluation(ctx, contract.id);
  expect(await alertsOf((await evaluateContract(ctx, contract.id)).id)).toEqual([]);
  expect(await alertsOf(started.id)).toEqual([]);
});

test("a contract without alerts, or without recipients, is silent", async () => {
  expect(await scheduled(await contractOf({ alertOnFailure: false }))).toEqual([]);
  expect(await scheduled(await contractOf({ recipientIds: [] }))).toEqual([]);
});

test("disabled and archived recipients are skipped", async () => {
  const source = await aDataSource();
  const gone = await aRecipient({ projectId: source.projectId });
  const off = await aRecipient({ projectId: source.projectId, enabled: false });
  const there = await aRecipient({ projectId: source.projectId });
  const some = await contractOf({ dataSourceId: source.id, recipientIds: [gone.id, off.id, there.id] });
  const none = await contractOf({ dataSourceId: source.id, recipientIds: [gone.id] });
  await sql`update recipients set archived_at = now() where id = ${gone.id}`;
  const [alert] = await scheduled(some);
  const told = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, alert?.id ?? 0));
  expect(told.map(({ recipientId }) => recipientId)).toEqual([there.id]);
  expect(await scheduled(none)).toEqual([]);
});

test("there is one alert, however often the job is retried", async () => {
  const contract = await contractOf();
  const [first, second] = await Promise.all([
    evaluateDueContract(contract.id, six),
    evaluateDueContract(contract.id, six),
  ]);
  expect(second).toEqual(first);
  await evaluateDueContract(contract.id, six);
  expect(await alertsOf("evaluationId" in first ? first.evaluationId : 0)).toHaveLength(1);
});

test("an evaluation that was taken over alerts once, and its first worker sends nothing", async () => {
  const contract = await contractOf({ rules: [scores(10), sleeps] });
  const zombie = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor: six });
  if (!zombie) throw new Error("Nothing is in progress yet");
  const running = expect(runLeasedEvaluation(zombie)).rejects.toBeInstanceOf(LeaseLost);
  await untilItSleeps(zombie.id);
  await expireLease(zombie.id);
  const heir = await evaluationLeases.take(zombie.id);
  if (!heir) throw new Error("The lease has not run out");
  await running;
  expect(await alertsOf(zombie.id)).toEqual([]);
  await runLeasedEvaluation(heir);
  expect(await alertsOf(zombie.id)).toHaveLength(1);
});

test("an evaluation that is given up after its last attempt alerts as well", async () => {
  const contract = await contractOf({ rules: [aRule("Volume", { minRows: 0 })] });
  const lease = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor: six });
  await runLeasedEvaluation({ ...(lease ?? { id: 0, token: "" }), attempt: limits.maxAttempts + 1 });
  expect(await alertsOf(lease?.id ?? 0)).toMatchObject([{ subject: "[Data Quality] Orders" }]);
});

/** A scheduled evaluation that is stored only after `meanwhile` has changed its contract. */
async function evaluatedWhile(contract: { id: number }, meanwhile: () => Promise<unknown>) {
  const lease = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor: six });
  if (!lease) throw new Error("Nothing is in progress yet");
  const running = runLeasedEvaluation(lease);
  await untilItSleeps(lease.id);
  await meanwhile();
  await running;
  return alertsOf(lease.id);
}

test("a contract that was archived meanwhile is silent", async () => {
  const contract = await contractOf({ rules: [scores(10), sleeps] });
  expect(await evaluatedWhile(contract, () => archiveContract(ctx, contract.id))).toEqual([]);
});

test("the contract's settings at the end count: alerts, threshold, name, and recipients", async () => {
  const rules = [scores(10), sleeps];
  const switchedOff = await contractOf({ rules });
  expect(await evaluatedWhile(switchedOff, () => edit(switchedOff, { alertOnFailure: false }))).toEqual([]);
  // (10 + 100) / 2
  const lowered = await contractOf({ rules });
  expect(await evaluatedWhile(lowered, () => edit(lowered, { failureThreshold: 55 }))).toEqual([]);
  const renamed = await contractOf({ rules });
  const [alert] = await evaluatedWhile(renamed, () =>
    edit(renamed, { name: "Renamed", recipientIds: [onCall.id] }),
  );
  // The failed rules are those that ran.
  expect(alert).toMatchObject({
    subject: "[Data Quality] Renamed",
    content: { groups: [{ title: "Enough orders" }] },
  });
  const told = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, alert?.id ?? 0));
  expect(told.map(({ recipientId }) => recipientId)).toEqual([onCall.id]);
});

/** Hours after six. */
const later = (hours: number) => new Date(six.getTime() + hours * 3_600_000);

async function recipientsOf(alert: { id: number } | undefined) {
  const told = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.notificationId, alert?.id ?? 0));
  return told.map(({ recipientId }) => recipientId).sort();
}

const edit = (contract: { id: number }, change: Partial<ContractInput>) =>
  updateContract(ctx, { id: contract.id, ...createContractInput.parse(input(change)) });

test("an open alert is not repeated by every run, but reports changes, reminders, and its end", async () => {
  const count = aRule("CustomSql", { sql: "select false as passed, 10 * count(*) as score from orders" });
  const contract = await contractOf({ rules: [count], failureThreshold: 50, reminderHours: 12 });
  const opened = await scheduled(contract);
  expect(opened).toHaveLength(1);
  expect(await scheduled(contract, later(1))).toEqual([]);
  // A manual run alerts nobody, and does not change what was reported.
  await evaluateContract(ctx, contract.id);
  expect(await scheduled(contract, later(11))).toEqual([]);
  const [reminder] = await scheduled(contract, later(12));
  expect(reminder?.content.summary).toMatch(/1 rule failed\. The alert has been open since 20/);

  await sql`delete from orders where id = 4`;
  const [worse] = await scheduled(contract, later(13));
  expect(worse?.content.summary).toMatch(/scored 30, .* The last alert reported 40\.$/);
  expect((await getContract(ctx, contract.id)).openAlert).toMatchObject({ lastToldAt: expect.any(Date) });

  await sql`insert into orders values (4), (5)`;
  const [recovered] = await scheduled(contract, later(14));
  expect(recovered).toMatchObject({ subject: "[Data Quality] Orders", content: { tone: "Good" } });
  expect(await recipientsOf(recovered)).toEqual([team.id, onCall.id]);
  expect((await getContract(ctx, contract.id)).openAlert).toBeNull();
  expect(await scheduled(contract, later(15))).toEqual([]);
  await sql`delete from orders where id = 5`;
  expect(await scheduled(contract, later(16))).toHaveLength(1);
});

test("a newly failing rule is reported, even if the score has hardly changed", async () => {
  const contract = await contractOf({ rules: [scores(10)] });
  const [{ key } = { key: "" }] = contract.rules;
  expect(await scheduled(contract)).toHaveLength(1);
  const also = aRule("CustomSql", { sql: "select 0 as passed, 10 as score" }, { name: "Also" });
  await edit(contract, { rules: [{ ...scores(10), key }, also] });
  const [news] = await scheduled(contract, later(1));
  expect(news?.content.summary).toMatch(/2 rules failed\. Newly failing: Also\.$/);
  expect(await scheduled(contract, later(2))).toEqual([]);
});

test("edits affect an open alert", async () => {
  const keyed = (contract: { rules: { key: string }[] }) => [
    { ...scores(50), ...(contract.rules[0] && { key: contract.rules[0].key }) },
  ];
  // A new recipient is notified by the next run, and only they are.
  const joined = await contractOf({ recipientIds: [team.id] });
  expect(await scheduled(joined)).toHaveLength(1);
  await edit(joined, { rules: keyed(joined) });
  const [news] = await scheduled(joined, later(1));
  expect(await recipientsOf(news)).toEqual([onCall.id]);
  expect(await scheduled(joined, later(2))).toEqual([]);
  // Lowering the threshold ends it, and says so.
  await edit(joined, { rules: keyed(joined), failureThreshold: 50 });
  const [over] = await scheduled(joined, later(3));
  expect(over?.content.summary).toMatch(/recovered: it scored 50 \(threshold 50\)/);

  // Alerts that are turned off and on again start over.
  const silenced = await contractOf();
  expect(await scheduled(silenced)).toHaveLength(1);
  await edit(silenced, { rules: keyed(silenced), alertOnFailure: false });
  expect(await scheduled(silenced, later(1))).toEqual([]);
  await edit(silenced, { rules: keyed(silenced) });
  expect(await scheduled(silenced, later(2))).toHaveLength(1);

  // Another table means another alert.
  await sql`create table if not exists returns (id int)`;
  await edit(silenced, { rules: keyed(silenced), tableName: "returns" });
  expect((await getContract(ctx, silenced.id)).openAlert).toBeNull();
  expect(await scheduled(silenced, later(3))).toHaveLength(1);
});

test("several concurrent runs report nothing twice", async () => {
  const contract = await contractOf();
  expect(await scheduled(contract)).toHaveLength(1);
  await Promise.all([1, 2, 3].map((hours) => evaluateDueContract(contract.id, later(hours))));
  const told = await sql`
    select count(*)::int as count from notifications
    where cause_id in (select id from evaluations where contract_id = ${contract.id})`;
  expect(told).toEqual([{ count: 1 }]);
});

test("hostile texts and long names are reported unchanged, on one line where required", async () => {
  const name = `<script>alert(1)</script> {{x}} ${"n".repeat(160)}`;
  const contract = await contractOf({
    name,
    rules: [
      aRule(
        "CustomSql",
        {
          sql: "select 0 as passed, '=cmd|x <!channel> [a](javascript:b)' as actual_value, repeat('🙂', 3000) as message",
        },
        { name: "Bcc: x@example.com <@U1>" },
      ),
    ],
  });
  const [alert] = await scheduled(contract);
  expect(alert?.subject).toBe(`[Data Quality] ${name}`);
  const [group] = alert?.content.groups ?? [];
  expect(group?.title).toBe("Bcc: x@example.com <@U1>");
  expect(group?.facts[2]?.value).toBe("=cmd|x <!channel> [a](javascript:b)");
  expect(group?.facts[3]?.value.length).toBeLessThanOrEqual(2001);
  expect(group?.facts[3]?.value.isWellFormed()).toBe(true);
  const longest = await contractOf({ name: "n".repeat(200) });
  expect((await scheduled(longest))[0]?.subject).toBe(`[Data Quality] ${"n".repeat(200)}`);
});
