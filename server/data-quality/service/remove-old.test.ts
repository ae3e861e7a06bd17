import { beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { sequentiallyRead } from "../../test/sequential-scans.ts";
import { getContract } from "./contracts.ts";
import { listEvaluations } from "./history.ts";
import { getOverview } from "./overview.ts";
import { removeOldEvaluations, removeOldResults, removeOldSamples } from "./remove-old.ts";
import { listRuleStates } from "./rule-states.ts";
import { refreshTableScore } from "./table-scores.ts";

let ctx: SignedIn;
let dataSourceId: number;
beforeEach(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  await sql`truncate evaluations, rule_results, rule_scores, rule_samples, sample_requests, table_scores`;
});

type Contract = Awaited<ReturnType<typeof aContract>>;

/** A contract of the table with three rules. */
const contractOf = (tableName: string) =>
  aContract(
    {
      dataSourceId,
      tableName,
      rules: ["steady", "changing", "once failed"].map((name) => aRule("Volume", { minRows: 0 }, { name })),
    },
    ctx,
  );

/**
 * Evaluations of a contract, the last one a day ago, with this many days between them. Its rule "steady" always passes,
 * "changing" alternates between failing and passing for varying lengths, and "once failed" failed in the third; each
 * has a result with a sample.
 */
async function evaluatedPast(contract: Contract, count: number, everyDays: number) {
  const { id, tableName } = contract;
  await sql`
    insert into evaluations (contract_id, data_source_id, schema_name, table_name, trigger, status, overall_score,
      started_at, evaluated_at, lease_token, lease_until)
    select ${id}, ${dataSourceId}, 'public', ${tableName}, 'Scheduled', 'Completed', 50 + i * 37 % 50,
      at, at, gen_random_uuid(), at
    from (select i, now() - (1 + (${count}::int - i) * ${everyDays}::float8) * interval '1 day' as at
      from generate_series(1, ${count}::int) as i) as each`;
  await sql`analyze evaluations`;
  await sql`
    insert into rule_scores (evaluation_id, key, contract_id, evaluated_at, position, name, type, passed, score)
    select e.id, r.key, r.contract_id, e.evaluated_at, r.position, r.name, r.type, passed, case when passed then 100 else 0 end
    from (select *, row_number() over (order by evaluated_at) as turn from evaluations where contract_id = ${id}) e
    join rules r on r.contract_id = e.contract_id
    cross join lateral (select case r.name when 'steady' then true when 'changing' then (turn / 7 + turn / 11) % 2 = 0
      else turn <> 3 end as passed) as outcome`;
  await sql`
    insert into rule_results (evaluation_id, rule_id, position, passed, score, execution_time_ms)
    select s.evaluation_id, r.id, r.position, s.passed, s.score, 5
    from rule_scores s join rules r on r.contract_id = s.contract_id and r.key = s.key where s.contract_id = ${id}`;
  await sql`analyze rule_results`;
  await sql`
    insert into rule_samples (evaluation_id, rule_id, sample, taken_at)
    select e.id, rule_id, '{}', e.evaluated_at from rule_results join evaluations e on e.id = evaluation_id
    where e.contract_id = ${id} and not passed`;
  await db.transaction((tx) => refreshTableScore(tx, { dataSourceId, schemaName: "public", tableName }));
}

/** What is reported about contracts and their tables, with the rules' results of their last evaluation. */
async function said(contracts: Contract[]) {
  return {
    overview: await getOverview(ctx, { dataSourceId }),
    scores: await sql`select * from table_scores order by table_name`,
    contracts: await Promise.all(
      contracts.map(async ({ id }) => {
        const evaluations = (await listEvaluations(ctx, id, 30)).items;
        const states = (await listRuleStates(ctx, id)).items;
        return {
          contract: await getContract(ctx, id),
          newest: evaluations[0],
          summaries: evaluations.map(({ ruleResults: _, ...summary }) => summary),
          // Only as many are counted as are kept.
          states: states.map(({ consecutive: _, ...state }) => state),
        };
      }),
    ),
  };
}

type Score = { contract_id: number; key: string; evaluation_id: number; passed: boolean };

/** Computed from the series, one after the other: the evaluations from which the current state of each rule is read. */
async function holdingStates(): Promise<Set<number>> {
  const scores = await sql<Score[]>`select * from rule_scores order by evaluated_at, evaluation_id`;
  const held = new Set<number>();
  for (const series of Map.groupBy(scores, ({ contract_id, key }) => `${contract_id} ${key}`).values()) {
    const last = series.at(-1);
    const lastOther = series.findLastIndex(({ passed }) => passed !== last?.passed);
    for (const each of [last, series[lastOther], series[lastOther + 1]])
      if (each) held.add(each.evaluation_id);
  }
  return held;
}

test("old rows are removed, and scores, trends, and rules' states do not change", async () => {
  const contracts = [await contractOf("often"), await contractOf("now and then"), await contractOf("rarely")];
  const [often, sometimes, rarely] = contracts as [Contract, Contract, Contract];
  await evaluatedPast(often, 1800, 0.5);
  await evaluatedPast(sometimes, 90, 10);
  await evaluatedPast(rarely, 25, 60);
  await sql`update evaluations set evaluated_at = null, status = 'Running' where id = (select min(id) from evaluations)`;
  const before = await said(contracts);

  const [old] = await sql<{ results: number; samples: number }[]>`
    with ranked as (
      select id, evaluated_at < now() - interval '90 days' and 1 < row_number() over (
        partition by contract_id order by evaluated_at desc nulls last) as is_old from evaluations)
    select (select count(*)::int from rule_results where evaluation_id in (select id from ranked where is_old)) as results,
      (select count(*)::int from rule_samples where evaluation_id in (select id from ranked where not is_old)) as samples`;
  expect(await removeOldResults(90)).toBe(old?.results);
  expect(old?.results).toBeGreaterThan(4000);
  expect(await sql`select from rule_samples`).toHaveLength(old?.samples ?? 0);
  expect(await said(contracts)).toEqual(before);

  const held = await holdingStates();
  const gone = await sql<{ id: number }[]>`
    select id from (
      select id, evaluated_at, row_number() over (
        partition by contract_id order by evaluated_at desc nulls last) as place from evaluations) as ranked
    where evaluated_at < now() - interval '400 days' and place > 30`;
  const expected = new Set(gone.filter(({ id }) => !held.has(id)).map(({ id }) => id));
  const all = await sql<{ id: number }[]>`select id from evaluations order by id`;
  expect(expected.size).toBeGreaterThan(900);
  expect(expected.size).toBeLessThan(gone.length);
  expect(await removeOldEvaluations(400)).toBe(expected.size);
  expect((await sql`select id from evaluations order by id`).map(({ id }) => id)).toEqual(
    all.map(({ id }) => id).filter((id) => !expected.has(id)),
  );
  expect(
    await sql`select from rule_scores where evaluation_id not in (select id from evaluations)`,
  ).toHaveLength(0);
  expect(await said(contracts)).toEqual(before);

  // The next evaluation's trend and history are read from the evaluations again.
  for (const tableName of ["often", "now and then", "rarely"])
    await db.transaction((tx) => refreshTableScore(tx, { dataSourceId, schemaName: "public", tableName }));
  expect(await said(contracts)).toEqual(before);
  expect([await removeOldResults(90), await removeOldEvaluations(400)]).toEqual([0, 0]);
});

test("limits are exact, and turning them off keeps everything", async () => {
  const contract = await contractOf("orders");
  await evaluatedPast(contract, 40, 0.01);
  const [oldest = 0, second = 0] = (await sql`select id from evaluations order by id limit 2`).map(
    ({ id }) => id as number,
  );
  const age = (id: number, days: number, interval: string) => sql`
    update evaluations set evaluated_at = now() - ${days} * interval '1 day' - ${interval}::interval where id = ${id}`;
  // The series still contains it.
  await age(oldest, 100, "1 millisecond");
  await age(second, 100, "-10 seconds");
  expect([await removeOldResults(null), await removeOldEvaluations(null)]).toEqual([0, 0]);
  expect(await removeOldResults(100)).toBe(3);
  expect(await removeOldEvaluations(101)).toBe(0);
  await sql`delete from rules where name <> 'once failed'`;
  expect(await removeOldEvaluations(100)).toBe(1);
  expect(await sql`select id from evaluations where id in ${sql([oldest, second])}`).toEqual([
    { id: second },
  ]);
});

test("an edit does not wait for a cleanup, nor does one cleanup for another", async () => {
  const contract = await contractOf("orders");
  await evaluatedPast(contract, 700, 1);
  const [expected] = await sql`select count(*)::int as count from rule_results
    join evaluations e on e.id = evaluation_id where e.evaluated_at < now() - interval '90 days'`;
  const [rule] = await sql`select id from rules where name = 'steady'`;
  await sql
    .begin(async (tx) => {
      // Like an edit, which deletes a rule's results with it.
      await tx`delete from rules where id = ${rule?.id}`;
      const removed = await Promise.all([removeOldResults(90), removeOldResults(90)]);
      expect(removed[0] + removed[1]).toBe((expected?.count / 3) * 2);
      throw new Error("The edit is undone");
    })
    .catch((err) => expect(err).toMatchObject({ message: "The edit is undone" }));
  // What it left behind is removed with its evaluations.
  await removeOldEvaluations(400);
  expect(
    await sql`select from rule_results where evaluation_id not in (select id from evaluations)`,
  ).toHaveLength(0);
  expect(
    (await sql`select from evaluations where evaluated_at < now() - interval '400 days'`).length,
  ).toBeLessThan(10);
});

test("no large table is scanned in full", { timeout: 180_000 }, async () => {
  const contracts = [];
  for (let n = 0; n < 8; n++) {
    const contract = await contractOf(`table ${n}`);
    await evaluatedPast(contract, 1200, 0.5);
    contracts.push(contract);
  }
  await sql`
    insert into table_scores (data_source_id, schema_name, table_name, current_score, trend, evaluation_id, evaluated_at)
    select ${dataSourceId}, 'public', 'other ' || i, 90, 'Stable', (select max(id) from evaluations), now()
    from generate_series(1, 5000) as i`;
  const tables = ["evaluations", "rule_results", "rule_scores", "rule_samples", "table_scores"];
  await sql.unsafe(`vacuum analyze ${tables.join(", ")}`);
  const work = async () => {
    expect(await removeOldSamples(30)).toBeGreaterThan(1000);
    expect(await removeOldResults(90)).toBeGreaterThan(10_000);
    expect(await removeOldEvaluations(400)).toBeGreaterThan(1000);
  };
  expect(await sequentiallyRead(tables, work)).toEqual([]);
});
