import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { createRecipient } from "../../notifications/service/recipients.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { someoneWaitsForLock } from "../../test/waits-for-lock.ts";
import { evaluations, ruleResults } from "../evaluations/tables.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { contractRecipients, contracts } from "../tables.ts";
import { archiveContract, getContract, listContracts, updateContract } from "./contracts.ts";
import { evaluateContract } from "./evaluate.ts";
import { getEvaluation, listEvaluations } from "./history.ts";
import { getOverview } from "./overview.ts";
import { refreshTableScore } from "./table-scores.ts";

let ctx: SignedIn;

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe(`
    create table orders (id int);
    create table customers (id int);
    create table scores (name text primary key, value numeric);
  `);
});

afterAll(closeSources);

const write = (contract: Partial<ContractInput> & { dataSourceId: number }) =>
  createContractInput.parse({
    name: "Orders",
    tableName: "orders",
    cronExpression: "0 6 * * *",
    rules: [aRule("Volume", { minRows: 0 })],
    ...contract,
  });

async function aRecipient(projectId: number, name = "Ada") {
  return createRecipient(ctx, { projectId, name, type: "Email", destination: "ada@example.com" });
}

/** A rule with the score that `scored` defines. */
const scoredBy = (name: string) =>
  aRule("CustomSql", { sql: `select 0 as passed, value as score from scores where name = '${name}'` });

/** Evaluates a contract so that it gets this score. */
async function scored(contractId: number, name: string, score: number) {
  await sql`insert into scores values (${name}, ${score}) on conflict (name) do update set value = ${score}`;
  return evaluateContract(ctx, contractId);
}

describe("a contract that is created", () => {
  test("has the specification's defaults, and its schedule's next run", async () => {
    const source = await aDataSource({ name: "Warehouse" });
    const contract = await aContract({
      dataSourceId: source.id,
      rules: [aRule("Uniqueness", {}, { column: "id" })],
    });
    expect(contract).toMatchObject({
      name: "Orders",
      description: null,
      projectId: source.projectId,
      dataSourceId: source.id,
      dataSourceName: "Warehouse",
      schemaName: "public",
      tableName: "orders",
      timezone: "UTC",
      failureThreshold: 80,
      enabled: true,
      alertOnFailure: true,
      recipients: [],
      latestScore: null,
      previousScore: null,
      trend: null,
      lastEvaluatedAt: null,
    });
    expect(contract.rules).toMatchObject([
      { column: "id", severity: "Medium", weight: 1, enabled: true, configuration: { column: "id" } },
    ]);
    // Six in the morning, UTC, at most a day ahead.
    expect(contract.nextRunAt?.toISOString()).toMatch(/T06:00:00\.000Z$/);
    expect(contract.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    expect(contract.nextRunAt?.getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000);
  });

  test("has no next run if it is disabled", async () => {
    expect(await aContract({ enabled: false })).toMatchObject({ enabled: false, nextRunAt: null });
  });

  test("runs by its own time zone", async () => {
    // Kathmandu is at UTC+5:45 all year: six in the morning is 00:15 UTC.
    const contract = await aContract({ timezone: "Asia/Kathmandu" });
    expect(contract.nextRunAt?.toISOString()).toMatch(/T00:15:00\.000Z$/);
  });

  test("keeps text in any script, and every digit of decimals", async () => {
    const name = "Bestellungen — заказы 注文 🙂";
    const contract = await aContract({
      name,
      failureThreshold: 79.995,
      rules: [aRule("Range", { column: "id", min: "0.10" }, { weight: 0.3 })],
    });
    expect(contract).toMatchObject({
      name,
      failureThreshold: 79.995,
      rules: [{ weight: 0.3, configuration: { column: "id", min: "0.10" } }],
    });
  });

  test("must watch a database", async () => {
    const source = await aDataSource();
    await db.update(dataSources).set({ kind: "RestApi" }).where(eq(dataSources.id, source.id));
    await expect(aContract({ dataSourceId: source.id })).rejects.toMatchObject({
      code: "rejected",
      detail: "Data contract's data source must be a database type",
    });
  });

  test("must watch a data source that its author can access", async () => {
    const source = await aDataSource();
    const stranger = await asAdmin({ projectIds: [(await aProject()).id] });
    await expect(aContract({ dataSourceId: source.id }, stranger)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(aContract({ dataSourceId: 999_999 })).rejects.toMatchObject({ code: "not_found" });
  });

  test("may repeat its own schema in a configuration, even if that is the default", async () => {
    const rule = (schema: string) => aRule("Volume", { minRows: 0, schema, table: "orders" });
    const contract = await aContract({ rules: [rule("public")] });
    expect(contract.rules[0]?.configuration).toEqual({ minRows: 0 });
    await expect(aContract({ rules: [rule("public"), rule("other")] })).rejects.toMatchObject({
      code: "invalid",
      more: { errors: [{ path: "rules.1.configuration.schema" }] },
    });
  });
});

describe("recipients", () => {
  test("belong to the data source's project", async () => {
    const source = await aDataSource();
    const ada = await aRecipient(source.projectId, "Ada");
    const bob = await aRecipient(source.projectId, "Bob");
    const contract = await aContract(
      { dataSourceId: source.id, recipientIds: [bob.id, ada.id, bob.id] },
      ctx,
    );
    expect(contract.recipients.map(({ name }) => name)).toEqual(["Ada", "Bob"]);

    const foreign = await aRecipient((await aProject()).id);
    await expect(
      aContract({ dataSourceId: source.id, recipientIds: [ada.id, foreign.id] }, ctx),
    ).rejects.toMatchObject({ code: "invalid", more: { errors: [{ path: "recipientIds.1" }] } });
    // Someone without access to the other project does not learn that the recipient exists.
    const editor = await asAdmin({ projectIds: [source.projectId] });
    await expect(
      aContract({ dataSourceId: source.id, recipientIds: [foreign.id] }, editor),
    ).rejects.toMatchObject({ code: "not_found", detail: "Recipient not found" });
    await expect(aContract({ dataSourceId: source.id, recipientIds: [999_999] }, ctx)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("are replaced by an update", async () => {
    const source = await aDataSource();
    const ada = await aRecipient(source.projectId, "Ada");
    const bob = await aRecipient(source.projectId, "Bob");
    const { id } = await aContract({ dataSourceId: source.id, recipientIds: [ada.id] }, ctx);
    const updated = await updateContract(ctx, {
      id,
      ...write({ dataSourceId: source.id, recipientIds: [bob.id] }),
    });
    expect(updated.recipients.map(({ name }) => name)).toEqual(["Bob"]);
    expect((await updateContract(ctx, { id, ...write({ dataSourceId: source.id }) })).recipients).toEqual([]);
    expect(await db.select().from(contractRecipients).where(eq(contractRecipients.contractId, id))).toEqual(
      [],
    );
  });
});

describe("an update", () => {
  test("replaces every rule and deletes its results; summaries and scores stay", async () => {
    const contract = await aContract(
      { rules: [aRule("Volume", { minRows: 0 }), aRule("Volume", { minRows: 1 })] },
      ctx,
    );
    // (100 + 0) / 2: the table is empty.
    const before = await evaluateContract(ctx, contract.id);
    expect(before).toMatchObject({ overallScore: 50, ruleResults: [{}, {}] });

    const rule = aRule("Volume", { maxRows: 0 }, { name: "Empty" });
    const updated = await updateContract(ctx, {
      id: contract.id,
      ...write({ dataSourceId: contract.dataSourceId, rules: [rule] }),
    });
    expect(updated.rules).toMatchObject([{ name: "Empty" }]);
    expect(updated).toMatchObject({ latestScore: 50, lastEvaluatedAt: before.evaluatedAt });
    expect(await listEvaluations(ctx, contract.id, 20)).toEqual({ items: [{ ...before, ruleResults: [] }] });
    expect(await db.select().from(ruleResults).where(eq(ruleResults.evaluationId, before.id))).toEqual([]);
  });

  test("recognizes a rule by its key", async () => {
    const contract = await aContract({}, ctx);
    const [old] = contract.rules;
    const key = old?.key ?? "";
    const rules = [aRule("Volume", { minRows: 5 }), aRule("Volume", { minRows: 1 }, { key })];
    const updated = await updateContract(ctx, {
      id: contract.id,
      ...write({ dataSourceId: contract.dataSourceId, rules }),
    });
    expect(updated.rules[1]).toMatchObject({ key, configuration: { minRows: 1 } });
    expect(updated.rules[1]?.id).not.toBe(old?.id);
    expect(updated.rules[0]?.key).not.toBe(key);

    const other = (await aContract({}, ctx)).rules[0]?.key ?? "";
    await expect(
      updateContract(ctx, {
        id: contract.id,
        ...write({
          dataSourceId: contract.dataSourceId,
          rules: [aRule("Volume", { minRows: 5 }, { key: other })],
        }),
      }),
    ).rejects.toMatchObject({ code: "invalid", more: { errors: [{ path: "rules.0.key" }] } });
  });

  test("moves the schedule only if it changes", async () => {
    const contract = await aContract({}, ctx);
    const { id, dataSourceId } = contract;
    // A due run that no tick has claimed yet.
    const due = new Date("2026-01-01T06:00:00.000Z");
    await db.update(contracts).set({ nextRunAt: due }).where(eq(contracts.id, id));

    const same = await updateContract(ctx, { id, ...write({ dataSourceId, name: "Renamed" }) });
    expect(same).toMatchObject({ name: "Renamed", nextRunAt: due });
    const moved = await updateContract(ctx, { id, ...write({ dataSourceId, cronExpression: "30 7 * * *" }) });
    expect(moved.nextRunAt?.toISOString()).toMatch(/T07:30:00\.000Z$/);
    const elsewhere = await updateContract(ctx, {
      id,
      ...write({ dataSourceId, cronExpression: "30 7 * * *", timezone: "Asia/Kathmandu" }),
    });
    expect(elsewhere.nextRunAt?.toISOString()).toMatch(/T01:45:00\.000Z$/);
    const off = await updateContract(ctx, { id, ...write({ dataSourceId, enabled: false }) });
    expect(off.nextRunAt).toBeNull();
    const on = await updateContract(ctx, { id, ...write({ dataSourceId }) });
    expect(on.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
  });

  test("resets omitted settings to their defaults", async () => {
    const contract = await aContract(
      { failureThreshold: 50, description: "Mine", context: "In cents", alertOnFailure: false },
      ctx,
    );
    const updated = await updateContract(ctx, {
      id: contract.id,
      ...write({ dataSourceId: contract.dataSourceId }),
    });
    expect(updated).toMatchObject({
      ...{ failureThreshold: 80, description: null, context: null, alertOnFailure: true },
    });
  });

  test("that is rejected changes nothing", async () => {
    const contract = await aContract({}, ctx);
    const bad = write({ dataSourceId: contract.dataSourceId, name: "Renamed", recipientIds: [999_999] });
    await expect(updateContract(ctx, { id: contract.id, ...bad })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await getContract(ctx, contract.id)).toEqual(contract);
  });
});

describe("an archived contract", () => {
  test("disappears everywhere, is unscheduled, and keeps its history", async () => {
    const contract = await aContract({}, ctx);
    const { id, dataSourceId } = contract;
    const evaluation = await evaluateContract(ctx, id);
    await archiveContract(ctx, id);

    const attempts = [
      () => getContract(ctx, id),
      () => archiveContract(ctx, id),
      () => updateContract(ctx, { id, ...write({ dataSourceId }) }),
      () => evaluateContract(ctx, id),
      () => listEvaluations(ctx, id, 20),
      () => getEvaluation(ctx, evaluation.id),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "not_found" });
    expect(await listContracts(ctx, { dataSourceId })).toEqual({ items: [] });
    expect((await getOverview(ctx, { dataSourceId })).items).toMatchObject([
      { activeContractCount: 0, tables: [], averageScore: null },
    ]);
    const [row] = await db.select().from(contracts).where(eq(contracts.id, id));
    expect(row).toMatchObject({ nextRunAt: null, archivedAt: expect.any(Date) });
    expect(await db.select().from(evaluations).where(eq(evaluations.contractId, id))).toHaveLength(1);
  });
});

describe("the list", () => {
  test("shows each visible contract's own scores, by name", async () => {
    const source = await aDataSource();
    const { id: dataSourceId, projectId } = source;
    const second = await aContract({ name: "Second", dataSourceId, rules: [scoredBy("second")] }, ctx);
    const first = await aContract({ name: "First", dataSourceId, rules: [scoredBy("first")] }, ctx);
    await scored(first.id, "first", 7.3);
    await scored(first.id, "first", 8.3);
    await scored(second.id, "second", 90);
    await scored(second.id, "second", 95);
    const last = await scored(second.id, "second", 60);

    const { items } = await listContracts(ctx, { dataSourceId });
    expect(items).toMatchObject([
      // 8.3 − 7.3 is exactly one point.
      { name: "First", latestScore: 8.3, previousScore: 7.3, trend: "Stable" },
      {
        name: "Second",
        latestScore: 60,
        previousScore: 95,
        trend: "Degrading",
        lastEvaluatedAt: last.evaluatedAt,
        rules: [{ type: "CustomSql" }],
      },
    ]);
    expect(await getContract(ctx, second.id)).toEqual(items[1]);

    expect((await listContracts(ctx, { projectId })).items).toHaveLength(2);
    expect((await listContracts(ctx, { projectId: projectId + 1000 })).items).toEqual([]);
    const stranger = await asAdmin({ projectIds: [projectId + 1000] });
    expect((await listContracts(stranger, {})).items).toEqual([]);
  });
});

describe("history", () => {
  test("is newest first, and as long as requested", async () => {
    const contract = await aContract({ rules: [scoredBy("history")] }, ctx);
    for (const score of [10, 20, 30]) await scored(contract.id, "history", score);
    const { items } = await listEvaluations(ctx, contract.id, 2);
    expect(items.map(({ overallScore }) => overallScore)).toEqual([30, 20]);
    expect(items.map(({ ruleResults }) => ruleResults.map(({ score }) => score))).toEqual([[30], [20]]);
  });
});

describe("the overview", () => {
  test("has a table's latest score by any of its contracts, and the trend between the two", async () => {
    const source = await aDataSource({ name: "Overview" });
    const { id: dataSourceId } = source;
    const one = await aContract({ name: "One", dataSourceId, rules: [scoredBy("one")] }, ctx);
    const two = await aContract({ name: "Two", dataSourceId, rules: [scoredBy("two")] }, ctx);
    const other = await aContract(
      { name: "Other", dataSourceId, tableName: "customers", rules: [scoredBy("other")], enabled: false },
      ctx,
    );
    const overview = async () => (await getOverview(ctx, { dataSourceId })).items[0];
    expect(await overview()).toMatchObject({
      dataSourceName: "Overview",
      averageScore: null,
      tableCount: 0,
      activeContractCount: 2,
    });

    await scored(one.id, "one", 90);
    expect((await overview())?.tables).toMatchObject([
      { schemaName: "public", tableName: "orders", currentScore: 90, previousScore: null, trend: "Stable" },
    ]);
    const latest = await scored(two.id, "two", 70.01);
    await scored(other.id, "other", 80);
    expect(await overview()).toMatchObject({
      // (70.01 + 80) / 2 = 75.005, and halves round away from zero.
      averageScore: 75.01,
      tableCount: 2,
      // 80 is healthy, 70.01 is not.
      healthyTables: 1,
      degradingTables: 1,
      activeContractCount: 2,
      tables: [
        { tableName: "customers", currentScore: 80, trend: "Stable" },
        {
          tableName: "orders",
          currentScore: 70.01,
          previousScore: 90,
          trend: "Degrading",
          evaluatedAt: latest.evaluatedAt,
        },
      ],
    });

    // Without the second contract, the first one's evaluation is the latest.
    await archiveContract(ctx, two.id);
    expect((await overview())?.tables[1]).toMatchObject({
      currentScore: 90,
      previousScore: null,
      trend: "Stable",
    });
    // Pointed at another table, the first contract no longer watches this one.
    await updateContract(ctx, {
      id: one.id,
      ...write({ dataSourceId, tableName: "elsewhere", rules: [scoredBy("one")] }),
    });
    expect((await overview())?.tables).toMatchObject([{ tableName: "customers" }]);
    await scored(one.id, "one", 91);
    expect((await overview())?.tables).toMatchObject([
      { tableName: "customers" },
      { tableName: "elsewhere", currentScore: 91, previousScore: null },
    ]);
  });

  test("only includes databases that the caller can access", async () => {
    const source = await aDataSource();
    const api = await aDataSource({ projectId: source.projectId });
    await db.update(dataSources).set({ kind: "RestApi" }).where(eq(dataSources.id, api.id));
    const seen = await getOverview(ctx, { projectId: source.projectId });
    expect(seen.items.map(({ dataSourceId }) => dataSourceId)).toEqual([source.id]);
    expect(await getOverview(await asAdmin({ projectIds: [] }), {})).toEqual({ items: [] });
  });

  test("misses no evaluation that ends at the same time", async () => {
    const source = await aDataSource();
    const table = { dataSourceId: source.id, schemaName: "public", tableName: "orders" };
    const one = await aContract({ dataSourceId: source.id }, ctx);
    const two = await aContract({ dataSourceId: source.id, rules: [scoredBy("two")] }, ctx);
    let evaluating: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      // The first one's evaluation is being stored, and not yet visible, when the second one's ends.
      await tx.insert(evaluations).values({
        contractId: one.id,
        ...table,
        trigger: "Manual",
        status: "Completed",
        overallScore: 40,
        evaluatedAt: new Date("2026-01-01T00:00:00.000Z"),
        leaseToken: randomUUID(),
        leaseUntil: new Date(),
      });
      await refreshTableScore(tx, table);
      evaluating = elsewhere(() => scored(two.id, "two", 60));
      await someoneWaitsForLock();
    });
    await evaluating;
    expect((await getOverview(ctx, { dataSourceId: source.id })).items[0]?.tables).toMatchObject([
      { currentScore: 60, previousScore: 40, trend: "Improving" },
    ]);
  });
});
