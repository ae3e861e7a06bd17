import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { notifications } from "../../notifications/tables.ts";
import { type DatabaseProxy, databaseProxy } from "../../test/database-proxy.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { tableScores } from "../evaluations/tables.ts";
import { seriesInput } from "../history-schema.ts";
import { getChanges } from "./changes.ts";
import { getContract } from "./contracts.ts";
import { evaluateContract, evaluateDueContract } from "./evaluate.ts";
import { listEvaluations } from "./history.ts";
import { getOverview } from "./overview.ts";
import { listRuleStates } from "./rule-states.ts";
import { getSeries } from "./series.ts";

/** What is reported about a data source that goes away and comes back: never that its data is bad. */

let ctx: SignedIn;
let proxy: DatabaseProxy;

beforeAll(async () => {
  ctx = await asAdmin();
  proxy = await databaseProxy(process.env.DATABASE_URL ?? "");
  await sql.unsafe("create table orders (id int); insert into orders values (1), (2), (3)");
});
beforeEach(() => proxy.open());
afterAll(async () => {
  await closeSources();
  await proxy.close();
});

async function watched(more: Parameters<typeof aContract>[0] = {}) {
  const { hostname: host, port } = new URL(proxy.url);
  const source = await aDataSource({ connection: { host, port: Number(port) } });
  const recipient = await aRecipient({ projectId: source.projectId });
  return aContract(
    {
      dataSourceId: source.id,
      recipientIds: [recipient.id],
      // (100 × 2 + 0 × 1) / 3
      rules: [
        aRule("Volume", { minRows: 3 }),
        aRule("Volume", { minRows: 4 }, { name: "More", severity: "Low" }),
      ],
      failureThreshold: 50,
      ...more,
    },
    ctx,
  );
}

const reason = expect.stringMatching(
  /^(Connection refused: nothing is listening on this host and port|The (host|server) )/,
);

test("an evaluation that cannot reach its source is stored as failed, and marked as not measured", async () => {
  const contract = await watched();
  await proxy.close();
  const evaluation = await evaluateContract(ctx, contract.id);
  expect(evaluation).toMatchObject({
    ...{ overallScore: 0, passedCount: 0, failedCount: 2 },
    ...{ couldNotEvaluate: true, notEvaluatedBecause: reason },
    ruleResults: [
      { passed: false, score: 0 },
      { passed: false, score: 0 },
    ],
  });
  expect(await getContract(ctx, contract.id)).toMatchObject({
    ...{ latestScore: 0, previousScore: null, trend: "Stable" },
    ...{ measured: null, outage: { since: evaluation.evaluatedAt, reason } },
  });
});

test("one rule that could be measured makes it an evaluation, and so does one that fails by itself", async () => {
  const contract = await watched({
    rules: [
      aRule("Volume", { minRows: 3 }),
      aRule("CustomSql", { sql: "select pg_terminate_backend(pg_backend_pid()) as passed" }),
    ],
  });
  expect(await evaluateContract(ctx, contract.id)).toMatchObject({ couldNotEvaluate: false });
  const broken = await watched({ rules: [aRule("Uniqueness", { column: "gone" })] });
  expect(await evaluateContract(ctx, broken.id)).toMatchObject({
    ...{ overallScore: 0, couldNotEvaluate: false, notEvaluatedBecause: null },
  });
  const empty = await watched({ rules: [aRule("Volume", { minRows: 9 }, { enabled: false })] });
  await proxy.close();
  expect(await evaluateContract(ctx, empty.id)).toMatchObject({ overallScore: 100, couldNotEvaluate: false });
});

test("scores and trends are stored as specified, along with what was measured", async () => {
  const contract = await watched();
  const first = await evaluateContract(ctx, contract.id);
  expect(first.overallScore).toBe(66.67);
  expect(await getContract(ctx, contract.id)).toMatchObject({
    measured: { score: 66.67, previousScore: null, trend: "Stable", evaluatedAt: first.evaluatedAt },
    outage: null,
  });
  await proxy.close();
  const second = await evaluateContract(ctx, contract.id);
  const third = await evaluateContract(ctx, contract.id);
  const during = {
    measured: { score: 66.67, previousScore: null, trend: "Stable", evaluatedAt: first.evaluatedAt },
    outage: { since: second.evaluatedAt, reason },
  };
  expect(await getContract(ctx, contract.id)).toMatchObject({
    ...{ latestScore: 0, previousScore: 0, trend: "Stable", lastEvaluatedAt: third.evaluatedAt },
    ...during,
  });
  const { items } = await getOverview(ctx, { dataSourceId: contract.dataSourceId });
  expect(items).toMatchObject([
    {
      ...{ averageScore: 0, healthyTables: 0, degradingTables: 0 },
      measured: { averageScore: 66.67, tableCount: 1, healthyTables: 0, degradingTables: 0, outageTables: 1 },
      tables: [{ currentScore: 0, ...during }],
    },
  ]);
  expect(items[0]?.tables[0]?.history.map(({ couldNotEvaluate }) => couldNotEvaluate)).toEqual([
    ...[false, true, true],
  ]);

  await proxy.open();
  await sql`insert into orders values (4)`;
  const fourth = await evaluateContract(ctx, contract.id);
  await sql`delete from orders where id = 4`;
  const after = {
    measured: { score: 100, previousScore: 66.67, trend: "Improving", evaluatedAt: fourth.evaluatedAt },
    outage: null,
  };
  expect(await getContract(ctx, contract.id)).toMatchObject({
    ...{ latestScore: 100, previousScore: 0 },
    ...after,
  });
  const [source] = (await getOverview(ctx, { dataSourceId: contract.dataSourceId })).items;
  expect(source?.tables).toMatchObject([{ currentScore: 100, previousScore: 0, ...after }]);
  expect((await listEvaluations(ctx, contract.id, 9)).items.map((each) => each.couldNotEvaluate)).toEqual([
    ...[false, true, true, false],
  ]);
});

test("an outage longer than a table's history does not lose the score before it", async () => {
  const contract = await watched();
  const { id } = await evaluateContract(ctx, contract.id);
  // Moved to the past, so that the outage is over before the evaluation below.
  const [moved] = await sql<{ evaluatedAt: string }[]>`
    update evaluations set evaluated_at = evaluated_at - interval '1 minute' where id = ${id}
    returning evaluated_at as "evaluatedAt"`;
  await sql`
    insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
      evaluated_at, not_evaluated_because, lease_token, lease_until)
    select contract_id, data_source_id, schema_name, table_name, 'Scheduled', 'Completed', 0,
      evaluated_at + n * interval '1 ms', 'Nothing answers', lease_token, lease_until
    from evaluations, generate_series(1, 40) as n where id = ${id}`;
  await proxy.close();
  await evaluateContract(ctx, contract.id);
  const [stored] = await db
    .select()
    .from(tableScores)
    .where(eq(tableScores.dataSourceId, contract.dataSourceId));
  expect(stored?.history).toHaveLength(30);
  const since = new Date(new Date(moved?.evaluatedAt ?? 0).getTime() + 1);
  const { items } = await getOverview(ctx, { dataSourceId: contract.dataSourceId });
  expect(items[0]?.tables).toMatchObject([{ measured: { score: 66.67 }, outage: { since, reason } }]);
  expect(await getContract(ctx, contract.id)).toMatchObject({
    measured: { score: 66.67 },
    outage: { since },
  });
});

test("rules keep their state: none starts to fail, and none recovers", async () => {
  const contract = await watched();
  const first = await evaluateContract(ctx, contract.id);
  await proxy.close();
  const second = await evaluateContract(ctx, contract.id);
  await proxy.open();
  const third = await evaluateContract(ctx, contract.id);

  expect(await getChanges(ctx, { id: second.id })).toMatchObject({
    ...{
      evaluation: { couldNotEvaluate: true },
      comparedWith: { id: first.id },
      scoreDelta: null,
      rules: [],
    },
  });
  expect(await getChanges(ctx, { id: third.id })).toMatchObject({
    ...{ comparedWith: { id: first.id }, scoreDelta: 0 },
    rules: [{ change: "Unchanged" }, { change: "Unchanged" }],
  });
  expect((await listRuleStates(ctx, contract.id)).items).toMatchObject([
    { passed: true, consecutive: 2, since: { evaluationId: first.id }, lastChange: null },
    { passed: false, consecutive: 2, since: { evaluationId: first.id }, lastChange: null },
  ]);
  const series = await getSeries(ctx, seriesInput.parse({ id: contract.id }));
  expect(series.points.map(({ couldNotEvaluate }) => couldNotEvaluate)).toEqual([false, true, false]);
  expect(series.rules.map(({ points }) => points.map(({ evaluationId }) => evaluationId))).toEqual([
    [first.id, third.id],
    [first.id, third.id],
  ]);
  // If several share a point, it is the worst of those that were measured.
  const shared = await getSeries(
    ctx,
    seriesInput.parse({ id: contract.id, take: 1, from: "2020-01-01T00:00:00Z" }),
  );
  expect(shared.points).toMatchObject([{ overallScore: 66.67, couldNotEvaluate: false }]);
});

test("it is reported as a connection failure, once, and so is its end", async () => {
  const contract = await watched();
  const run = async (hour: number) => {
    const done = await evaluateDueContract(contract.id, new Date(Date.UTC(2026, 2, 1, hour)));
    const causeId = "evaluationId" in done ? done.evaluationId : 0;
    const rows = await db.select().from(notifications).where(eq(notifications.causeId, causeId));
    return rows.map(({ subject, content }) => [subject, content.summary]);
  };
  expect(await run(6)).toEqual([]);
  await proxy.close();
  expect(await run(7)).toEqual([
    [
      "[Data Quality] Orders",
      expect.stringMatching(
        /^public\.orders could not be evaluated: (Connection refused|The) ?.*\. The last measured score is 66\.67, from 20/,
      ),
    ],
  ]);
  expect(await run(8)).toEqual([]);
  expect(await getContract(ctx, contract.id)).toMatchObject({ openAlert: { openedAt: expect.any(Date) } });
  await proxy.open();
  expect(await run(9)).toEqual([
    [
      "[Data Quality] Orders",
      expect.stringMatching(/^public\.orders recovered: it scored 66\.67 \(threshold 50\)\./),
    ],
  ]);
  expect(await getContract(ctx, contract.id)).toMatchObject({ openAlert: null });
});
