import { eq, sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources, useSource } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { ruleSamples, sampleRequests } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { collectDueSamples } from "./collect-samples.ts";
import { archiveContract, updateContract } from "./contracts.ts";
import { evaluateContract } from "./evaluate.ts";
import { getSamples } from "./get-samples.ts";
import { removeOldSamples } from "./remove-old.ts";

/** Failing rows, from the evaluation that found them to their deletion. */

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table people (email text, age int, id int primary key);
    insert into people values ('ada@example.com', 36, 1), ('grace', 200, 2), ('edsger@example.com', null, 3)`);
  await refreshSchema(ctx, dataSourceId);
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

const inRange = aRule("Range", { column: "age", min: "0", max: "150" }, { name: "Plausible" });
const filled = aRule("NullRate", { column: "age", maxNullPercent: 0 }, { name: "Filled" });
const input = (contract: Partial<ContractInput>): ContractInput => ({
  name: "People",
  dataSourceId,
  tableName: "people",
  cronExpression: "0 6 * * *",
  rules: [inRange],
  ...contract,
});
const contractOf = (contract: Partial<ContractInput> = {}) => aContract(input(contract), ctx);
const edit = (contract: { id: number }, change: Partial<ContractInput> = {}) =>
  updateContract(ctx, { id: contract.id, ...createContractInput.parse(input(change)) });

async function evaluated(contract: { id: number }) {
  const evaluation = await evaluateContract(ctx, contract.id);
  await collectDueSamples();
  return evaluation;
}

const samplesOf = (evaluation: { id: number; ruleResults: { ruleId: number }[] }, position = 0) =>
  getSamples(ctx, { id: evaluation.id, ruleId: evaluation.ruleResults[position]?.ruleId ?? 0 });
const notFound = { code: "not_found" };
const kept = (evaluation: { id: number }) =>
  db.select().from(ruleSamples).where(eq(ruleSamples.evaluationId, evaluation.id));
const requests = () => db.select().from(sampleRequests);

/** An evaluation whose failing rows have not been sampled yet, because a person needs the connections. */
async function evaluatedWithoutSpare(
  contract: { id: number },
  meanwhile: (evaluationId: number) => Promise<unknown>,
) {
  const { promise: busy, resolve: release } = Promise.withResolvers<void>();
  const evaluation = await useSource(dataSourceId, async (_, source) => {
    const held = [1, 2].map(() => source.session(() => busy));
    const evaluation = await evaluateContract(ctx, contract.id);
    await collectDueSamples();
    await meanwhile(evaluation.id);
    release();
    await Promise.all(held);
    return evaluation;
  });
  return evaluation;
}

test("failing rows are kept with the evaluation: the key first, then the column, with sensitive values masked", async () => {
  const evaluation = await evaluated(
    await contractOf({ rules: [inRange, aRule("Volume", { minRows: 9 }), filled] }),
  );
  expect(await samplesOf(evaluation)).toEqual({
    columns: [
      { name: "id", type: "integer" },
      { name: "age", type: "integer" },
      { name: "email", type: "text" },
    ],
    rows: [[2, 200, "•••••"]],
    maskedColumns: ["email"],
    byValue: { column: "age", values: [{ value: 200, rows: 1 }], isMasked: false, hasMore: false },
    totalFailing: 1,
  });
  expect(await samplesOf(evaluation, 2)).toMatchObject({
    rows: [[3, null, "••••••@•••••••.•••"]],
    totalFailing: 1,
  });
  // Volume does not fail for individual rows.
  await expect(samplesOf(evaluation, 1)).rejects.toMatchObject(notFound);
  expect(await requests()).toEqual([]);
});

test("failing rows are counted by value in the whole table, most frequent first", async () => {
  await sql.unsafe(`
    create table visits (id int primary key, age int, contact text);
    insert into visits select n, case when n <= 60 then 999 when n <= 100 then -1 when n <= 140 then 200 + n else 30 end,
      case when n <= 3 then 'x' || n || '@example.com' when n <= 9 then 'none' else 'C-1' end
      from generate_series(1, 200) n`);
  const coded = aRule("Pattern", { column: "contact", pattern: "^C-[0-9]$" });
  const filtered = aRule("Range", { column: "age", min: "0", where: "id <= 90" });
  const evaluation = await evaluated(
    await contractOf({ tableName: "visits", rules: [inRange, coded, filtered] }),
  );
  const [ages, contacts, some] = await Promise.all([0, 1, 2].map((place) => samplesOf(evaluation, place)));
  // 60 of one value, 40 of another, and 40 of one row each, of which the list has the first.
  expect(ages?.byValue?.values.slice(0, 3)).toEqual([
    { value: 999, rows: 60 },
    { value: -1, rows: 40 },
    { value: 301, rows: 1 },
  ]);
  expect(ages?.byValue).toMatchObject({ column: "age", hasMore: true, isMasked: false });
  expect(ages?.byValue?.values).toHaveLength(20);
  expect(contacts?.byValue).toMatchObject({ isMasked: true, hasMore: false });
  expect(JSON.stringify(contacts?.byValue)).not.toContain("example");
  expect(contacts?.byValue?.values.map(({ rows }) => rows)).toEqual([6, 1, 1, 1]);
  // Only of the rows that the rule is about.
  expect(some?.byValue?.values).toEqual([{ value: -1, rows: 30 }]);
});

test("a contract can keep them unmasked, or not at all", async () => {
  const full = await evaluated(await contractOf({ samples: "Full" }));
  expect(await samplesOf(full)).toMatchObject({ rows: [[2, 200, "grace"]], maskedColumns: [] });
  const off = await evaluated(await contractOf({ samples: "Off" }));
  await expect(samplesOf(off)).rejects.toMatchObject(notFound);
  expect(await kept(off)).toEqual([]);
});

test("rules that passed or could not run, and unknown ones, have none", async () => {
  const evaluation = await evaluated(
    await contractOf({
      rules: [
        aRule("Uniqueness", { column: "id" }),
        aRule("NullRate", { column: "dropped", maxNullPercent: 0 }),
        inRange,
      ],
    }),
  );
  for (const position of [0, 1])
    await expect(samplesOf(evaluation, position)).rejects.toMatchObject(notFound);
  await expect(getSamples(ctx, { id: evaluation.id, ruleId: 999_999 })).rejects.toMatchObject(notFound);
  await expect(
    getSamples(await asAdmin({ projectIds: [] }), {
      id: evaluation.id,
      ruleId: evaluation.ruleResults[2]?.ruleId ?? 0,
    }),
  ).rejects.toMatchObject(notFound);
});

test("an edit deletes them with the results, including pending ones", async () => {
  const contract = await contractOf();
  const evaluation = await evaluated(contract);
  expect(await kept(evaluation)).toHaveLength(1);
  await edit(contract);
  expect(await kept(evaluation)).toEqual([]);
  await expect(samplesOf(evaluation)).rejects.toMatchObject(notFound);

  const late = await evaluatedWithoutSpare(contract, () => edit(contract));
  limits.sampleRestMs = 0;
  await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
  await collectDueSamples();
  expect(await kept(late)).toEqual([]);
  expect(await requests()).toEqual([]);
});

test("nothing is sampled for an archived contract, and nothing reappears", async () => {
  const contract = await contractOf();
  const evaluation = await evaluatedWithoutSpare(contract, () => archiveContract(ctx, contract.id));
  await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
  await collectDueSamples();
  expect(await kept(evaluation)).toEqual([]);
  expect(await requests()).toEqual([]);
});

test("a column dropped since does not affect the others", async () => {
  await sql.unsafe(`
    create table narrowing (id int, old int, kept int);
    insert into narrowing values (1, null, null)`);
  const isNull = (column: string) => aRule("NullRate", { column, maxNullPercent: 0 });
  const contract = await contractOf({ tableName: "narrowing", rules: [isNull("old"), isNull("kept")] });
  const evaluation = await evaluatedWithoutSpare(contract, () => sql`alter table narrowing drop column old`);
  await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
  await collectDueSamples();
  await expect(samplesOf(evaluation, 0)).rejects.toMatchObject(notFound);
  expect(await samplesOf(evaluation, 1)).toMatchObject({ rows: [[null, 1]] });
  expect(await requests()).toEqual([]);
});

describe("the verdict never waits", () => {
  test("for a slow sample: the evaluation is stored long before, and does not change", async () => {
    limits.sampleTimeoutMs = 1500;
    await sql.unsafe(`
      create table slow_values (id int, value int);
      insert into slow_values values (1, null);
      create function wait_a_while(int) returns int language plpgsql stable as 'begin perform pg_sleep(30); return $1; end';
      create view slow as select id, value, case when value is null then wait_a_while(id) end as waited from slow_values`);
    // Counting does not read the slow column, since the view is inlined into the query; showing the rows does.
    const contract = await contractOf({
      tableName: "slow",
      rules: [aRule("NullRate", { column: "value", maxNullPercent: 0 })],
    });
    const startedAt = performance.now();
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(performance.now() - startedAt).toBeLessThan(limits.sampleTimeoutMs);
    expect(evaluation).toMatchObject({ status: "Completed", overallScore: 0, failedCount: 1 });
    await collectDueSamples();
    // A sample that took too long is not retried.
    expect(await kept(evaluation)).toEqual([]);
    expect(await requests()).toEqual([]);
    const running = await sql`select 1 from pg_stat_activity where datname = current_database()
      and state = 'active' and query like '%slow%' and pid <> pg_backend_pid()`;
    expect(running).toHaveLength(0);
  });

  test("and samples wait while someone else needs the connections, which does not count as an attempt", async () => {
    limits.sampleRestMs = 60_000;
    const evaluation = await evaluatedWithoutSpare(await contractOf(), async (evaluationId) => {
      expect(await requests()).toMatchObject([{ evaluationId, attempts: 0 }]);
    });
    expect(await kept(evaluation)).toEqual([]);
    await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
    await collectDueSamples();
    expect(await samplesOf(evaluation)).toMatchObject({ rows: [[2, 200, "•••••"]] });
  });

  test("not forever, because rows change", async () => {
    limits.samplePatienceMs = 0;
    await evaluatedWithoutSpare(await contractOf(), async () => {
      expect(await requests()).toEqual([]);
    });
  });
});

test("a sample left by a dead process is taken once, and given up eventually", async () => {
  limits.sampleRestMs = 60_000;
  const evaluation = await evaluatedWithoutSpare(await contractOf(), async () => {});
  const abandoned = { leaseUntil: query`now() - interval '1 second'` };
  await db.update(sampleRequests).set({ ...abandoned, attempts: 1 });
  await Promise.all([collectDueSamples(), collectDueSamples()]);
  expect(await kept(evaluation)).toHaveLength(1);

  const hopeless = await evaluatedWithoutSpare(await contractOf(), async () => {});
  await db.update(sampleRequests).set({ ...abandoned, attempts: limits.maxAttempts });
  await collectDueSamples();
  expect(await kept(hopeless)).toEqual([]);
  expect(await requests()).toEqual([]);
});

test("they are kept for thirty days", async () => {
  const old = await evaluated(await contractOf());
  const recent = await evaluated(await contractOf());
  const age = (evaluation: { id: number }, days: number) =>
    db
      .update(ruleSamples)
      .set({ takenAt: query`now() - ${days} * interval '1 day'` })
      .where(eq(ruleSamples.evaluationId, evaluation.id));
  await age(old, 30.01);
  await age(recent, 29.99);
  expect(await removeOldSamples()).toBe(1);
  await expect(samplesOf(old)).rejects.toMatchObject(notFound);
  expect(await samplesOf(recent)).toMatchObject({ rows: [[2, 200, "•••••"]] });
});

test("those of a deleted data source are omitted", async () => {
  const source = await aDataSource();
  const contract = await contractOf({ dataSourceId: source.id });
  limits.sampleRestMs = 60_000;
  const { promise: busy, resolve: release } = Promise.withResolvers<void>();
  const evaluation = await useSource(source.id, async (_, lent) => {
    const held = [1, 2].map(() => lent.session(() => busy));
    const evaluation = await evaluateContract(ctx, contract.id);
    await collectDueSamples();
    release();
    await Promise.all(held);
    return evaluation;
  });
  await sql`update data_sources set connection = jsonb_set(connection, '{port}', '1') where id = ${source.id}`;
  await db.delete(ruleSamples);
  await db.insert(sampleRequests).values({ evaluationId: evaluation.id }).onConflictDoNothing();
  await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
  await collectDueSamples();
  expect(await kept(evaluation)).toEqual([]);
  expect(await requests()).toEqual([]);
});
