import { eq, sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources, useSource } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { limits } from "../limits.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { ruleSamples, sampleRequests } from "../tables.ts";
import { collectDueSamples } from "./collect-samples.ts";
import { archiveContract, updateContract } from "./contracts.ts";
import { evaluateContract } from "./evaluate.ts";
import { getSamples } from "./get-samples.ts";
import { removeOldSamples } from "./remove-old.ts";

/** Failing rows, from the evaluation that found them to their end. */

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

/** An evaluation whose failing rows have not been looked at yet, because a person needs the connections. */
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

test("rows that failed are kept beside the evaluation: the key first, then the column, sensitive ones masked", async () => {
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
    totalFailing: 1,
  });
  expect(await samplesOf(evaluation, 2)).toMatchObject({
    rows: [[3, null, "••••••@•••••••.•••"]],
    totalFailing: 1,
  });
  // Volume fails for no row of its own.
  await expect(samplesOf(evaluation, 1)).rejects.toMatchObject(notFound);
  expect(await requests()).toEqual([]);
});

test("a contract keeps them as they are, or none, where it says so", async () => {
  const full = await evaluated(await contractOf({ samples: "Full" }));
  expect(await samplesOf(full)).toMatchObject({ rows: [[2, 200, "grace"]], maskedColumns: [] });
  const off = await evaluated(await contractOf({ samples: "Off" }));
  await expect(samplesOf(off)).rejects.toMatchObject(notFound);
  expect(await kept(off)).toEqual([]);
});

test("what passes, what could not run and what is none of the evaluation has none", async () => {
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

test("an edit takes them away with the results, also when they were still to be taken", async () => {
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

test("nothing is taken for a contract that was archived, and nothing comes back", async () => {
  const contract = await contractOf();
  const evaluation = await evaluatedWithoutSpare(contract, () => archiveContract(ctx, contract.id));
  await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
  await collectDueSamples();
  expect(await kept(evaluation)).toEqual([]);
  expect(await requests()).toEqual([]);
});

test("a column that was dropped since costs the others nothing", async () => {
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
  test("for a sample that is slow: the evaluation is there long before, and stays as it is", async () => {
    limits.sampleTimeoutMs = 1500;
    await sql.unsafe(`
      create table slow_values (id int, value int);
      insert into slow_values values (1, null);
      create function wait_a_while(int) returns int language plpgsql stable as 'begin perform pg_sleep(30); return $1; end';
      create view slow as select id, value, case when value is null then wait_a_while(id) end as waited from slow_values`);
    // Counting does not ask for the column that waits, as the view is made part of the query; showing the rows does.
    const contract = await contractOf({
      tableName: "slow",
      rules: [aRule("NullRate", { column: "value", maxNullPercent: 0 })],
    });
    const startedAt = performance.now();
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(performance.now() - startedAt).toBeLessThan(limits.sampleTimeoutMs);
    expect(evaluation).toMatchObject({ status: "Completed", overallScore: 0, failedCount: 1 });
    await collectDueSamples();
    // A look that took too long is not tried again.
    expect(await kept(evaluation)).toEqual([]);
    expect(await requests()).toEqual([]);
    const running = await sql`select 1 from pg_stat_activity where datname = current_database()
      and state = 'active' and query like '%slow%' and pid <> pg_backend_pid()`;
    expect(running).toHaveLength(0);
  });

  test("and samples wait while someone else needs the connections, which counts as no attempt", async () => {
    limits.sampleRestMs = 60_000;
    const evaluation = await evaluatedWithoutSpare(await contractOf(), async (evaluationId) => {
      expect(await requests()).toMatchObject([{ evaluationId, attempts: 0 }]);
    });
    expect(await kept(evaluation)).toEqual([]);
    await db.update(sampleRequests).set({ leaseUntil: query`now() - interval '1 second'` });
    await collectDueSamples();
    expect(await samplesOf(evaluation)).toMatchObject({ rows: [[2, 200, "•••••"]] });
  });

  test("not for ever: rows change", async () => {
    limits.samplePatienceMs = 0;
    await evaluatedWithoutSpare(await contractOf(), async () => {
      expect(await requests()).toEqual([]);
    });
  });
});

test("what a process that died has left is taken once, and given up in the end", async () => {
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

test("one of a data source that is gone is left out", async () => {
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
