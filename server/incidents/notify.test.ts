import { and, eq, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { evaluateDueContract } from "../data-quality/service/evaluate.ts";
import { contracts } from "../data-quality/tables.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { readSchema } from "../data-sources/service/read-schema.ts";
import { saveTags } from "../data-sources/service/table-tags.ts";
import { db, sql } from "../db/client.ts";
import { createWindowInput } from "../maintenance/schema.ts";
import { createWindow, endWindow, listWindows, removeWindow, updateWindow } from "../maintenance/service.ts";
import { deleteRecipient } from "../notifications/service/recipients.ts";
import { deliveries, notifications } from "../notifications/tables.ts";
import { executeNow } from "../subscriptions/service/execute.ts";
import { executions, subscriptionIncidents } from "../subscriptions/tables.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { aRecipient } from "../test/factories/notifications.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { aQuery } from "../test/factories/queries.ts";
import { aSubscription } from "../test/factories/subscriptions.ts";
import { createPolicyInput, listIncidentsInput } from "./schema.ts";
import { acknowledgeIncident, resolveIncident, silenceIncident } from "./service/act-on-incident.ts";
import { getIncident, listIncidents } from "./service/load-incidents.ts";
import { noticeIncidents } from "./service/notice.ts";
import { notifyIncidents } from "./service/notify-incidents.ts";
import { createPolicy, listPolicies, removePolicy, updatePolicy } from "./service/policies.ts";
import { sendDigests } from "./service/send-digests.ts";

/** Who is notified about incidents and when, and that nobody is in a maintenance window. */

let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
let [team, onCall]: { id: number; name: string }[] = [];

beforeAll(async () => {
  ctx = await asEditor();
  await sql.unsafe("create table parcels (id int); insert into parcels values (1), (2)");
});
// Each test has a project of its own.
beforeEach(async () => {
  source = await aDataSource();
  [team, onCall] = [
    await aRecipient({ projectId: source.projectId, name: "Team" }),
    await aRecipient({ projectId: source.projectId, name: "On call" }),
  ];
});
afterAll(closeSources);

const minute = 60_000;
const inMinutes = (count: number) => new Date(Date.now() + count * minute);

/** Sets the tags of the table. */
async function tagged(tags: string[]) {
  await readSchema(source.id);
  await saveTags(ctx, { id: source.id, schemaName: "public", tableName: "parcels", tags });
}

const aPolicy = (more: Partial<z.input<typeof createPolicyInput>> = {}) =>
  createPolicy(
    ctx,
    createPolicyInput.parse({
      ...{ projectId: source.projectId, name: "Nights", recipientIds: [team?.id ?? 0] },
      ...more,
    }),
  );
const escalating = () => ({ escalateAfterMinutes: 30, escalationRecipientIds: [onCall?.id ?? 0] });

async function scored(contractId: number, score: number) {
  await db.insert(evaluations).values({
    ...{
      contractId,
      dataSourceId: source.id,
      schemaName: "public",
      tableName: "parcels",
      trigger: "Scheduled",
    },
    ...{ status: "Completed", overallScore: score, evaluatedAt: new Date(), startedAt: new Date() },
    ...{ leaseToken: crypto.randomUUID(), leaseUntil: new Date() },
  });
  await noticeIncidents();
}
async function anIncident(name = "parcels") {
  const contract = await aContract({ name, dataSourceId: source.id, tableName: "parcels" }, ctx);
  await scored(contract.id, 10);
  const [incident] = (await listIncidents(ctx, listIncidentsInput.parse({ contractId: contract.id }))).items;
  return { id: incident?.id ?? 0, contractId: contract.id };
}

/** "Team: parcels: score 10, below 80", oldest first. */
async function told(): Promise<string[]> {
  const rows = await db
    .select({ to: deliveries.recipientName, subject: notifications.subject })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(and(eq(notifications.projectId, source.projectId), eq(notifications.causeKind, "Incident")))
    .orderBy(deliveries.id);
  return rows.map(({ to, subject }) => `${to}: ${subject}`);
}

describe("a policy", () => {
  test("notifies of an incident once, and once that it is over", async () => {
    await aPolicy();
    const { id, contractId } = await anIncident();
    await Promise.all([notifyIncidents(), notifyIncidents()]);
    await notifyIncidents(inMinutes(600));
    expect(await told()).toEqual(["Team: parcels: score 10, below 80"]);
    await scored(contractId, 100);
    await notifyIncidents();
    await notifyIncidents();
    expect(await told()).toEqual([
      "Team: parcels: score 10, below 80",
      "Team: Resolved: parcels: score 10, below 80",
    ]);
    expect((await getIncident(ctx, id)).timeline.map(({ kind }) => kind)).toEqual([
      "Opened",
      "Notified",
      "Ended",
      "Resolved",
    ]);
    // It came back: another incident.
    await scored(contractId, 20);
    await notifyIncidents();
    expect((await told()).at(-1)).toBe("Team: parcels: score 20, below 80");
  });

  test("says what is wrong, offers to acknowledge it, and leads to it", async () => {
    await aPolicy();
    const { id } = await anIncident();
    await notifyIncidents();
    const [message] = await db
      .select()
      .from(notifications)
      .where(and(eq(notifications.causeKind, "Incident"), eq(notifications.causeId, id)));
    expect(message?.content).toMatchObject({
      tone: "Warning",
      facts: [
        { label: "parcels", value: "Score 10, below 80" },
        { label: "Tables", value: "public.parcels" },
      ],
      link: { label: "Open the incident", path: `/incidents/${id}` },
      actions: [{ label: "Acknowledge", path: `/act/acknowledge-incident/${id}` }],
    });
  });

  test("applies from its severity on, in its hours, to its data sources, and not to what was before it", async () => {
    await anIncident("before");
    await aPolicy({ name: "Critical only", minSeverity: "Critical" });
    const never = { days: [1], from: "10:00", until: "10:01", timezone: "UTC" };
    await aPolicy({ name: "In hours", hours: never });
    const other = await aDataSource({ projectId: source.projectId, name: "Elsewhere" });
    await aPolicy({ name: "Elsewhere", dataSourceIds: [other.id] });
    await aPolicy({ name: "Off", enabled: false });
    await aPolicy({ name: "Before" });
    await resolveIncident(ctx, {
      id:
        (await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }))).items[0]?.id ??
        0,
    });
    await anIncident();
    // 1 February 2030 is a Friday; 4 February a Monday.
    await notifyIncidents(new Date("2030-02-01T10:00:00Z"));
    expect(await told()).toEqual(["Team: parcels: score 10, below 80"]);
    await notifyIncidents(new Date("2030-02-04T10:00:30Z"));
    expect(await told()).toHaveLength(2);
  });

  test("with tags applies to incidents of tables that have one of them, whenever they get it", async () => {
    await aPolicy({ name: "Personal data", tags: ["Tier 1", "PII"] });
    expect((await listPolicies(ctx, { projectId: source.projectId })).items).toMatchObject([
      { tags: ["pii", "tier 1"] },
    ]);
    await anIncident();
    await notifyIncidents();
    expect(await told()).toEqual([]);
    await tagged(["finance"]);
    await notifyIncidents();
    expect(await told()).toEqual([]);
    await tagged(["pii"]);
    await notifyIncidents();
    expect(await told()).toEqual(["Team: parcels: score 10, below 80"]);
    await tagged([]);
    expect(
      createPolicyInput.safeParse({ projectId: 1, name: "x", recipientIds: [1], tags: [] }).success,
    ).toBe(false);
  });

  test("escalates once if nobody acknowledges, and tells those of the end, too", async () => {
    await aPolicy(escalating());
    const { contractId } = await anIncident();
    await notifyIncidents();
    await notifyIncidents(inMinutes(29));
    expect(await told()).toHaveLength(1);
    await notifyIncidents(inMinutes(31));
    await notifyIncidents(inMinutes(90));
    expect((await told()).slice(1)).toEqual(["On call: Not acknowledged: parcels: score 10, below 80"]);
    await scored(contractId, 100);
    await notifyIncidents(inMinutes(91));
    expect((await told()).slice(2)).toEqual([
      "Team: Resolved: parcels: score 10, below 80",
      "On call: Resolved: parcels: score 10, below 80",
    ]);
  });

  test("does not escalate what somebody acknowledged", async () => {
    await aPolicy(escalating());
    const { id } = await anIncident();
    await notifyIncidents();
    await acknowledgeIncident(ctx, id);
    await notifyIncidents(inMinutes(60));
    expect(await told()).toHaveLength(1);
  });

  test("is quiet while the incident or its only check is silenced, and tells what lasts longer", async () => {
    await aPolicy();
    const first = await anIncident();
    await silenceIncident(ctx, { id: first.id, until: inMinutes(60) });
    await notifyIncidents();
    expect(await told()).toEqual([]);
    await notifyIncidents(inMinutes(61));
    expect(await told()).toHaveLength(1);
    // What nobody was told of ends without a message.
    await resolveIncident(ctx, { id: first.id });
    const contract = await aContract({ name: "items", dataSourceId: source.id, tableName: "items" }, ctx);
    await db
      .update(contracts)
      .set({ silencedUntil: inMinutes(60) })
      .where(eq(contracts.id, contract.id));
    await scored(contract.id, 10);
    await notifyIncidents();
    await scored(contract.id, 100);
    await notifyIncidents();
    expect((await told()).filter((each) => each.includes("items"))).toEqual([]);
  });

  test("is refused with another project's recipient or data source, and keeps its recipients from being deleted", async () => {
    const policy = await aPolicy();
    const foreign = await aRecipient();
    await expect(aPolicy({ recipientIds: [foreign.id] })).rejects.toThrow("not valid");
    await expect(aPolicy({ dataSourceIds: [(await aDataSource()).id] })).rejects.toThrow("not valid");
    await expect(deleteRecipient(await asAdmin(), team?.id ?? 0)).rejects.toThrow("1 incident policy");
    expect(
      createPolicyInput.safeParse({ projectId: 1, name: "x", recipientIds: [1], escalateAfterMinutes: 5 })
        .success,
    ).toBe(false);
    const write = {
      ...createPolicyInput.parse({ projectId: 1, name: "Days", recipientIds: [onCall?.id ?? 0] }),
    };
    const { projectId: _, ...change } = write;
    expect(await updatePolicy(ctx, { id: policy.id, ...change })).toMatchObject({
      ...{ name: "Days", dataSources: null, minSeverity: "High" },
      recipients: [{ id: onCall?.id, name: "On call" }],
    });
    await removePolicy(ctx, policy.id);
    expect(await listPolicies(ctx, { projectId: source.projectId })).toEqual({ items: [] });
    await deleteRecipient(await asAdmin(), onCall?.id ?? 0);
  });
});

describe("a digest", () => {
  const digests = async () =>
    (
      await db
        .select({ to: deliveries.recipientName, content: notifications.content })
        .from(deliveries)
        .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
        .where(and(eq(notifications.projectId, source.projectId), eq(notifications.causeKind, "Digest")))
        .orderBy(deliveries.id)
    ).map(({ to, content: { title, facts } }) => ({
      ...{ to, title },
      facts: facts.map(({ label, value }) => `${label}: ${value}`),
    }));
  const daily = { days: [1, 2, 3, 4, 5, 6, 7], at: "08:00", timezone: "UTC" };

  test("is sent once a day, with what is wrong, to those who get nothing else", async () => {
    await aPolicy({ minSeverity: null, digest: daily });
    const { contractId } = await anIncident();
    await notifyIncidents();
    expect(await told()).toEqual([]);
    await sendDigests(new Date("2030-02-01T07:59:00Z"));
    expect(await digests()).toEqual([]);
    await Promise.all([1, 2, 3].map((each) => sendDigests(new Date(`2030-02-01T08:0${each}:00Z`))));
    const [project] = await db.execute<{ name: string }>(
      query`select name from projects where id = ${source.projectId}`,
    );
    expect(await digests()).toEqual([
      {
        to: "Team",
        title: `1 current incident in ${project?.name}`,
        facts: ["High: parcels: score 10, below 80", "Contracts that fail: 1 of 1"],
      },
    ]);
    await scored(contractId, 100);
    await sendDigests(new Date("2030-02-02T08:00:00Z"));
    expect((await digests())[1]).toEqual({ to: "Team", title: `All clear in ${project?.name}`, facts: [] });
  });

  test("is refused without days, and a policy that tells nothing, too", () => {
    const write = { projectId: 1, name: "x", recipientIds: [1] };
    for (const bad of [
      { minSeverity: null },
      { digest: { ...daily, days: [] } },
      { digest: { ...daily, at: "8:00" } },
      { minSeverity: null, digest: daily, escalateAfterMinutes: 5, escalationRecipientIds: [1] },
    ])
      expect(createPolicyInput.safeParse({ ...write, ...bad }).success).toBe(false);
  });
});

describe("in a maintenance window", () => {
  const aWindow = (more: Partial<z.input<typeof createWindowInput>> = {}) =>
    createWindow(
      ctx,
      createWindowInput.parse({
        ...{ projectId: source.projectId, name: "Upgrade" },
        ...{ startsAt: inMinutes(-10).toISOString(), endsAt: inMinutes(60).toISOString() },
        ...more,
      }),
    );
  const messages = async () =>
    (
      await db
        .select({ kind: notifications.causeKind })
        .from(notifications)
        .where(eq(notifications.projectId, source.projectId))
    ).map(({ kind }) => kind);

  test("a contract is evaluated and recorded, and alerts once it is over", async () => {
    const contract = await aContract(
      {
        ...{ dataSourceId: source.id, tableName: "parcels", recipientIds: [team?.id ?? 0] },
        rules: [aRule("Volume", { minRows: 3 })],
      },
      ctx,
    );
    const { id } = await aWindow({ dataSourceIds: [source.id] });
    expect(await evaluateDueContract(contract.id, new Date("2026-03-01T06:00:00Z"))).toMatchObject({
      evaluationId: expect.any(Number),
    });
    expect(await messages()).toEqual([]);
    await noticeIncidents();
    expect((await listIncidents(ctx, listIncidentsInput.parse({ contractId: contract.id }))).totalCount).toBe(
      1,
    );
    await endWindow(ctx, id);
    await evaluateDueContract(contract.id, new Date("2026-03-02T06:00:00Z"));
    expect(await messages()).toEqual(["Evaluation"]);
  });

  test("a subscription runs silently, and a failing one opens its incident afterwards", async () => {
    const query = await aQuery({ name: "Parcels", dataSource: source, sql: "select * from parcels" }, ctx);
    const watch = await aSubscription({ query, recipientIds: [team?.id ?? 0] }, ctx);
    const broken = await aQuery({ name: "Broken", dataSource: source, sql: "select 1 / 0 as x" }, ctx);
    const failing = await aSubscription({ query: broken }, ctx);
    const window = await aWindow();
    const run = await executeNow(ctx, watch.id);
    expect(run.status).toBe("NotificationSilenced");
    expect(await db.select().from(executions).where(eq(executions.id, run.id))).toMatchObject([
      { silencedUntil: window.endsAt },
    ]);
    for (let time = 0; time < 3; time += 1) await executeNow(ctx, failing.id);
    expect(await messages()).toEqual([]);
    const opened = () =>
      db.select().from(subscriptionIncidents).where(eq(subscriptionIncidents.subscriptionId, failing.id));
    expect(await opened()).toEqual([]);
    await removeWindow(ctx, window.id);
    expect((await executeNow(ctx, watch.id)).status).toBe("NotificationSent");
    await executeNow(ctx, failing.id);
    expect(await opened()).toMatchObject([{ kind: "Failing" }]);
  });

  test("nobody is notified of an incident until it is over, unless its data source is another one", async () => {
    await aPolicy();
    await aWindow({ dataSourceIds: [source.id] });
    await anIncident();
    await notifyIncidents();
    expect(await told()).toEqual([]);
    await notifyIncidents(inMinutes(61));
    expect(await told()).toHaveLength(1);
  });

  test("by tag silences the alerts of tables that have it, also later, and until it is removed", async () => {
    await aPolicy();
    await aWindow({ tags: ["PII"] });
    await tagged(["other", "pii"]);
    const contract = await aContract(
      {
        ...{ dataSourceId: source.id, tableName: "parcels", recipientIds: [team?.id ?? 0] },
        rules: [aRule("Volume", { minRows: 3 })],
      },
      ctx,
    );
    const query = await aQuery({ name: "Parcels", dataSource: source, sql: "select * from parcels" }, ctx);
    const subscription = await aSubscription({ query, recipientIds: [team?.id ?? 0] }, ctx);
    await evaluateDueContract(contract.id, new Date("2026-03-01T06:00:00Z"));
    expect((await executeNow(ctx, subscription.id)).status).toBe("NotificationSilenced");
    await noticeIncidents();
    await notifyIncidents();
    expect(await messages()).toEqual([]);
    // The tag is gone: so is the silence, of what still lasts too.
    await tagged(["other"]);
    await evaluateDueContract(contract.id, new Date("2026-03-02T06:00:00Z"));
    expect((await executeNow(ctx, subscription.id)).status).toBe("NotificationSent");
    await notifyIncidents();
    expect((await messages()).sort()).toEqual(["Evaluation", "Execution", "Incident"]);
    // It has the tag again, as if it were new.
    await tagged(["pii"]);
    expect((await executeNow(ctx, subscription.id)).status).toBe("NotificationSilenced");
    await tagged([]);
  });

  test("by tag says nothing about tables without it, nor about those of another data source", async () => {
    await tagged(["pii"]);
    const query = await aQuery({ name: "One", dataSource: source, sql: "select 1 as parcel" }, ctx);
    const subscription = await aSubscription({ query, recipientIds: [team?.id ?? 0] }, ctx);
    const other = await aDataSource({ projectId: source.projectId, name: "Elsewhere" });
    await aWindow({ tags: ["pii"] });
    expect((await executeNow(ctx, subscription.id)).status).toBe("NotificationSent");
    await aPolicy();
    const window = await aWindow({ tags: ["pii"], dataSourceIds: [other.id] });
    expect(window).toMatchObject({ tags: ["pii"], dataSources: [{ id: other.id }] });
    await endWindow(ctx, (await listWindows(ctx, {})).items.find(({ dataSources }) => !dataSources)?.id ?? 0);
    await anIncident();
    await notifyIncidents();
    expect(await told()).toHaveLength(1);
    await tagged([]);
  });

  test("is refused with bad times or another project's data source", async () => {
    const ok = { projectId: 1, name: "x" };
    const once = { startsAt: "2030-01-01T00:00:00Z", endsAt: "2030-01-02T00:00:00Z" };
    for (const bad of [
      ok,
      { ...ok, ...once, endsAt: once.startsAt },
      { ...ok, ...once, cronExpression: "0 2 * * *", durationMinutes: 10 },
      { ...ok, cronExpression: "0 2 * * *" },
      { ...ok, ...once, durationMinutes: 10 },
      { ...ok, ...once, tags: [] },
      { ...ok, ...once, tags: ["-"] },
      { ...ok, cronExpression: "0 2 31 2 *", durationMinutes: 10 },
    ])
      expect(createWindowInput.safeParse(bad).success).toBe(false);
    await expect(aWindow({ dataSourceIds: [(await aDataSource()).id] })).rejects.toThrow("not valid");
    await expect(aWindow({ dataSourceIds: [] })).rejects.toThrow("not valid");
  });

  test("that repeats is listed with its next start; one that is not current cannot be ended", async () => {
    const window = await aWindow();
    const {
      endsAt: _,
      startsAt: __,
      ...rest
    } = createWindowInput.parse({
      ...{ projectId: source.projectId, name: "Sundays", cronExpression: "0 2 29 2 *", durationMinutes: 60 },
    });
    const { projectId: ___, ...write } = rest;
    const changed = await updateWindow(ctx, { id: window.id, ...write });
    expect(changed).toMatchObject({ name: "Sundays", activeUntil: null, startsAt: null, dataSources: null });
    // The next 29 February after 2026.
    expect(changed.nextStart).toEqual(new Date("2028-02-29T02:00:00Z"));
    await expect(endWindow(ctx, window.id)).rejects.toThrow("not current");
    expect((await listWindows(ctx, { projectId: source.projectId })).items).toEqual([changed]);
  });
});
