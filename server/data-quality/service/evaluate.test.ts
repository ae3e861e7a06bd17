import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { eq, sql as query } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { LeaseLost } from "../../jobs/leases.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluations, tableScores } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { createContractInput } from "../schema.ts";
import { contracts } from "../tables.ts";
import { archiveContract, getContract, updateContract } from "./contracts.ts";
import {
  evaluateContract,
  evaluateDueContract,
  recoverAbandonedEvaluations,
  startEvaluation,
} from "./evaluate.ts";
import { getEvaluation, listEvaluations } from "./history.ts";
import { beginEvaluation, evaluationLeases } from "./leases.ts";
import { runLeasedEvaluation } from "./run-leased-evaluation.ts";

let ctx: SignedIn;
let dataSourceId: number;
const usual = { ...limits };

beforeAll(async () => {
  ctx = await asAdmin();
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(`
    create table orders (id int, price numeric, note text);
    insert into orders values (1, 10, null), (2, 20, null), (3, 30, 'x'), (4, 40, 'y');
  `);
});

afterEach(() => {
  Object.assign(limits, usual);
});

afterAll(closeSources);

const passes = aRule("Volume", { minRows: 4 }, { name: "passes" });
const fails = aRule("Volume", { maxRows: 3 }, { name: "fails" });
/** Takes this long, and then passes. */
const sleeps = (seconds: number) =>
  aRule("CustomSql", { sql: `select 1 as passed from pg_sleep(${seconds})` }, { name: "sleeps" });

async function contractWith(...rules: ReturnType<typeof aRule>[]) {
  return aContract({ dataSourceId, rules }, ctx);
}

/** The contract's evaluations, whatever their state. */
const stored = (contractId: number) =>
  db.select().from(evaluations).where(eq(evaluations.contractId, contractId)).orderBy(evaluations.id);

async function expireLease(evaluationId: number, more: { attempts?: number } = {}) {
  await db
    .update(evaluations)
    .set({ leaseUntil: query`now() - interval '1 second'`, ...more })
    .where(eq(evaluations.id, evaluationId));
}

/** A process that began an evaluation and died. */
async function abandoned(contractId: number, more: { attempts?: number } = {}) {
  const lease = await beginEvaluation(contractId, { trigger: "Manual" });
  if (!lease) throw new Error("An evaluation is in progress");
  await expireLease(lease.id, more);
  return lease;
}

const until = (condition: () => Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 15_000, interval: 20 });

describe("an evaluation", () => {
  test("weights scores by weight and severity", async () => {
    const contract = await contractWith(
      // 100, effective weight 1.5 × 4 = 6
      { ...passes, weight: 1.5, severity: "Critical" },
      // 0, effective weight 1 × 3 = 3
      { ...fails, severity: "High" },
      // 2 of 4 are NULL: 100 − (50 − 40) = 90, effective weight 0.5 × 2 = 1
      aRule("NullRate", { column: "note", maxNullPercent: 40 }, { weight: 0.5, severity: "Medium" }),
      // 1 of 4 is out of range: (1 − 1/4) × 100 = 75, effective weight 2 × 1 = 2
      aRule("Range", { column: "price", max: "30" }, { weight: 2, severity: "Low" }),
      // Not counted.
      { ...fails, name: "disabled", enabled: false, weight: 10 },
    );
    // (100 × 6 + 0 × 3 + 90 × 1 + 75 × 2) / (6 + 3 + 1 + 2) = 840 / 12 = 70
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(evaluation).toMatchObject({
      contractId: contract.id,
      trigger: "Manual",
      status: "Completed",
      progress: { done: 4, total: 4 },
      overallScore: 70,
      passedCount: 1,
      failedCount: 3,
    });
    expect(evaluation.ruleResults).toMatchObject([
      { ruleName: "passes", passed: true, score: 100, weight: 1.5, severity: "Critical" },
      { ruleName: "fails", passed: false, score: 0, expectedValue: "at most 3 rows", actualValue: "4 rows" },
      { ruleName: "NullRate", passed: false, score: 90 },
      { ruleName: "Range", passed: false, score: 75, ruleType: "Range" },
    ]);
    expect(evaluation.ruleResults.map(({ ruleId }) => ruleId)).toEqual(
      contract.rules.slice(0, 4).map(({ id }) => id),
    );
    expect(await listEvaluations(ctx, contract.id, 20)).toEqual({ items: [evaluation] });
  });

  test("without enabled rules scores 100", async () => {
    const contract = await contractWith({ ...fails, enabled: false });
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({
      overallScore: 100,
      passedCount: 0,
      failedCount: 0,
      ruleResults: [],
    });
  });

  test("of a disabled contract can be started manually", async () => {
    const contract = await aContract({ dataSourceId, rules: [passes], enabled: false }, ctx);
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({ overallScore: 100 });
  });

  test("continues if a rule cannot run", async () => {
    const contract = await contractWith(
      aRule("NullRate", { column: "missing", maxNullPercent: 0 }),
      aRule("CustomSql", { sql: "drop table orders" }),
      aRule("Range", { column: "note", min: "0" }),
      passes,
    );
    // (0 + 0 + 0 + 100) / 4
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(evaluation).toMatchObject({ overallScore: 25, passedCount: 1, failedCount: 3 });
    expect(evaluation.ruleResults.map(({ couldRun }) => couldRun)).toEqual([false, false, false, true]);
    expect(evaluation.ruleResults.map(({ score, message }) => ({ score, message }))).toEqual([
      { score: 0, message: 'Execution failed: column "missing" does not exist' },
      {
        score: 0,
        message: expect.stringMatching(/^Execution failed: Only read statements are allowed/),
      },
      { score: 0, message: 'Execution failed: invalid input syntax for type numeric: "x"' },
      { score: 100, message: null },
    ]);
  });

  test("counts a query that ran as run, whatever its message says", async () => {
    const said = "Execution failed: the night job, says the query";
    const contract = await contractWith(
      aRule("CustomSql", { sql: `select 0 as passed, '${said}' as message` }),
      aRule("NullRate", { column: "missing", maxNullPercent: 0 }),
    );
    const { id, ruleResults } = await evaluateContract(ctx, contract.id);
    expect(ruleResults).toMatchObject([
      { couldRun: true, passed: false, message: said },
      { couldRun: false },
    ]);
    // As stored, not only as returned: the next run orders its work by it.
    expect(
      await sql`select could_run from rule_results where evaluation_id = ${id} order by position`,
    ).toEqual([{ could_run: true }, { could_run: false }]);
  });

  test("infers from their messages whether older results could run", async () => {
    const contract = await contractWith(passes, aRule("Uniqueness", { column: "gone" }));
    const { id } = await evaluateContract(ctx, contract.id);
    await sql`update rule_results set could_run = true where evaluation_id = ${id}`;
    const migration = readFileSync("drizzle/0036_rules-that-could-not-run.sql", "utf8");
    await sql.unsafe(migration.split("--> statement-breakpoint")[1] ?? "");
    expect(
      await sql`select could_run from rule_results where evaluation_id = ${id} order by position`,
    ).toEqual([{ could_run: true }, { could_run: false }]);
  });

  test("fails a rule whose stored configuration does not fit its type", async () => {
    const contract = await contractWith(passes, aRule("Uniqueness", { column: "id" }));
    await sql`update rules set configuration = '{}' where contract_id = ${contract.id} and type = 'Volume'`;
    expect((await evaluateContract(ctx, contract.id)).ruleResults).toMatchObject([
      {
        passed: false,
        message: "Execution failed: the configuration is invalid: minRows: minRows or maxRows is required",
      },
      { passed: true },
    ]);
  });

  test("cancels a rule that takes too long on the server, and leaves the others their time", async () => {
    limits.ruleTimeoutMs = 400;
    const contract = await contractWith(passes, sleeps(60), passes);
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(evaluation).toMatchObject({ passedCount: 2, failedCount: 1 });
    expect(evaluation.ruleResults[1]?.message).toMatch(
      /^Execution failed: The statement took longer than 0\.4 s/,
    );
    expect(evaluation.ruleResults[1]?.executionTimeMs).toBeGreaterThanOrEqual(400);
    const running = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
    expect(running).toHaveLength(0);
  });

  test("gives the next rule a new connection if one is lost", async () => {
    const contract = await contractWith(passes, sleeps(61), passes);
    const evaluating = evaluateContract(ctx, contract.id);
    await until(async () => {
      const killed = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%pg_sleep(61)%'
          and pid <> pg_backend_pid()`;
      return killed.length > 0;
    });
    expect((await evaluating).ruleResults).toMatchObject([
      { passed: true },
      {
        passed: false,
        score: 0,
        message: expect.stringMatching(/^Execution failed: The (server|connection) /),
      },
      { passed: true },
    ]);
  });

  test("of an unreachable data source is stored, with every rule failed for that reason", async () => {
    const unreachable = await aDataSource({ connection: { port: 1 } });
    const contract = await aContract({ dataSourceId: unreachable.id, rules: [passes, fails, passes] }, ctx);
    const evaluation = await evaluateContract(ctx, contract.id);
    expect(evaluation).toMatchObject({
      status: "Completed",
      overallScore: 0,
      passedCount: 0,
      failedCount: 3,
    });
    for (const { message } of evaluation.ruleResults) {
      expect(message).toMatch(
        /^Execution failed: Connection refused: nothing is listening on this host and port/,
      );
      expect(message).not.toContain("127.0.0.1");
    }
  });

  test("of a data source that disconnects does not try every rule", async () => {
    let calls = 0;
    const server = createServer((socket) => {
      calls += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const source = await aDataSource({ connection: { host: "127.0.0.1", port } });
    const contract = await aContract(
      { dataSourceId: source.id, rules: Array.from({ length: 12 }, () => passes) },
      ctx,
    );
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({ overallScore: 0, failedCount: 12 });
    // The first rule's, and one to check whether it is still unreachable.
    expect(calls).toBe(2);
    server.close();
  });

  test("stores long and unusual texts in a form that can be shown", async () => {
    const contract = await contractWith(
      aRule("CustomSql", { sql: "select 0 as passed, repeat('🙂', 3000) as message" }),
    );
    const [result] = (await evaluateContract(ctx, contract.id)).ruleResults;
    expect(result?.message).toHaveLength(2001);
    expect(result?.message?.isWellFormed()).toBe(true);
  });
});

describe("concurrent evaluations of one contract", () => {
  test("are one evaluation", async () => {
    const contract = await contractWith(sleeps(0.3));
    const both = await Promise.all([1, 2, 3].map(() => evaluateContract(ctx, contract.id)));
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both[1]).toEqual(both[0]);
    expect(await stored(contract.id)).toHaveLength(1);
  });

  test("are one across processes", async () => {
    const contract = await contractWith(sleeps(0.3));
    // Started like this it does not belong to this module, so the other must poll the row.
    const lease = await beginEvaluation(contract.id, { trigger: "Manual" });
    if (!lease) throw new Error("Nothing is in progress yet");
    const [joined] = await Promise.all([evaluateContract(ctx, contract.id), runLeasedEvaluation(lease)]);
    expect(joined).toMatchObject({ id: lease.id, status: "Completed", overallScore: 100 });
  });

  test("are separate if they are not concurrent", async () => {
    const contract = await contractWith(passes);
    const first = await evaluateContract(ctx, contract.id);
    const second = await evaluateContract(ctx, contract.id);
    expect(second.id).not.toBe(first.id);
    const { items } = await listEvaluations(ctx, contract.id, 20);
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe("an evaluation in the background", () => {
  test("shows its progress until it is completed", async () => {
    const contract = await contractWith(passes, sleeps(0.5), passes);
    const started = await startEvaluation(ctx, contract.id);
    expect(started).toMatchObject({
      status: "Running",
      // The two that share a scan may have ended by now.
      progress: { done: expect.toSatisfy((done) => done === 0 || done === 2), total: 3 },
      overallScore: null,
      evaluatedAt: null,
      ruleResults: [],
    });
    expect((await listEvaluations(ctx, contract.id, 20)).items).toEqual([]);

    // The two that share a scan finish together.
    await until(async () => (await getEvaluation(ctx, started.id)).progress.done === 2);
    expect(await getEvaluation(ctx, started.id)).toMatchObject({
      status: "Running",
      progress: { done: 2, total: 3 },
    });

    await until(async () => (await getEvaluation(ctx, started.id)).status === "Completed");
    expect(await getEvaluation(ctx, started.id)).toMatchObject({
      progress: { done: 3, total: 3 },
      overallScore: 100,
    });
  });

  test("names the rules that are being measured", async () => {
    limits.progressMs = 1;
    const contract = await contractWith(
      sleeps(0.6),
      aRule("CustomSql", { sql: "select 1 as passed from pg_sleep(0.6)" }, { name: "sleeps as well" }),
      passes,
    );
    const { id } = await startEvaluation(ctx, contract.id);
    const running = async () => (await getEvaluation(ctx, id)).progress.running;
    await until(async () => (await running()).length === 2);
    expect((await running()).toSorted()).toEqual(["sleeps", "sleeps as well"]);
    await until(async () => (await getEvaluation(ctx, id)).status === "Completed");
    expect(await running()).toEqual([]);
  });

  test("is joined by anyone who waits for one", async () => {
    const contract = await contractWith(sleeps(0.3));
    const started = await startEvaluation(ctx, contract.id);
    expect((await evaluateContract(ctx, contract.id)).id).toBe(started.id);
  });
});

describe("when the contract changes meanwhile", () => {
  const edited = (contract: { id: number }) => ({
    id: contract.id,
    ...createContractInput.parse({
      name: "Orders",
      dataSourceId,
      tableName: "orders",
      cronExpression: "0 6 * * *",
      rules: [fails],
    }),
  });

  test("by an edit, the summary is stored and the old rules' results are not", async () => {
    const contract = await contractWith(passes, sleeps(0.4));
    const started = await startEvaluation(ctx, contract.id);
    await until(async () => (await getEvaluation(ctx, started.id)).progress.done === 1);
    await updateContract(ctx, edited(contract));
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({
      id: started.id,
      overallScore: 100,
      passedCount: 2,
      ruleResults: [],
    });
    // (0 × 2) / 2: the next one uses the new rules.
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({ overallScore: 0, failedCount: 1 });
  });

  test("by being archived, it is stored for the archive and counts nowhere", async () => {
    const own = await aDataSource();
    const contract = await aContract({ dataSourceId: own.id, rules: [passes, sleeps(0.4)] }, ctx);
    const started = await startEvaluation(ctx, contract.id);
    await until(async () => (await getEvaluation(ctx, started.id)).progress.done === 1);
    await archiveContract(ctx, contract.id);
    await expect(getEvaluation(ctx, started.id)).rejects.toMatchObject({ code: "not_found" });
    await until(async () => (await stored(contract.id))[0]?.status === "Completed");
    expect(await db.select().from(tableScores).where(eq(tableScores.dataSourceId, own.id))).toEqual([]);
  });
});

describe("an evaluation whose process died", () => {
  test("is finished by recovery, once", async () => {
    const contract = await contractWith(passes, fails);
    const { id: evaluationId } = await abandoned(contract.id);
    expect(await recoverAbandonedEvaluations()).toBe(1);
    expect(await recoverAbandonedEvaluations()).toBe(0);
    expect(await getEvaluation(ctx, evaluationId)).toMatchObject({
      status: "Completed",
      // (100 + 0) / 2
      overallScore: 50,
      ruleResults: [{ passed: true }, { passed: false }],
    });
    expect(await stored(contract.id)).toHaveLength(1);
  });

  test("is finished immediately for someone who evaluates the contract", async () => {
    const contract = await contractWith(passes);
    const { id: evaluationId } = await abandoned(contract.id);
    expect(await evaluateContract(ctx, contract.id)).toMatchObject({
      id: evaluationId,
      status: "Completed",
      overallScore: 100,
    });
  });

  test("is taken over by someone who is already waiting for it", async () => {
    limits.pollMs = 20;
    const contract = await contractWith(passes);
    const lease = await beginEvaluation(contract.id, { trigger: "Manual" });
    if (!lease) throw new Error("Nothing is in progress yet");
    const waits = Promise.withResolvers<void>();
    // Polled by a caller that has checked once and must check again.
    const pollMs = vi.spyOn(limits, "pollMs", "get").mockImplementation(() => {
      waits.resolve();
      return 20;
    });
    const waiting = evaluateContract(ctx, contract.id);
    await waits.promise;
    pollMs.mockRestore();
    await expireLease(lease.id);
    expect(await waiting).toMatchObject({ id: lease.id, overallScore: 100 });
  });

  test("is left alone while its lease lasts, and the lease lasts while its process lives", async () => {
    limits.leaseMs = 500;
    limits.heartbeatMs = 100;
    const contract = await contractWith(sleeps(1.2));
    const evaluating = evaluateContract(ctx, contract.id);
    const leaseEnd = async () => {
      const [row] = await db.select().from(evaluations).where(eq(evaluations.contractId, contract.id));
      return row?.leaseUntil.getTime() ?? 0;
    };
    await until(async () => (await leaseEnd()) > 0);
    const first = await leaseEnd();
    // It has been renewed by the time the first would have expired.
    await until(async () => (await leaseEnd()) >= first + limits.leaseMs);
    expect(await recoverAbandonedEvaluations()).toBe(0);
    await evaluating;
    expect(await stored(contract.id)).toMatchObject([{ status: "Completed", attempts: 1 }]);
  });

  test("can no longer be stored by that process if it resumes", async () => {
    const contract = await contractWith(passes, sleeps(0.4));
    const zombie = await beginEvaluation(contract.id, { trigger: "Manual" });
    if (!zombie) throw new Error("Nothing is in progress yet");
    const running = runLeasedEvaluation(zombie);
    await until(async () => (await getEvaluation(ctx, zombie.id)).progress.done === 1);
    await expireLease(zombie.id);
    const heir = await evaluationLeases.take(zombie.id);
    if (!heir) throw new Error("The lease has not run out");
    await expect(running).rejects.toBeInstanceOf(LeaseLost);
    expect(await stored(contract.id)).toMatchObject([
      { status: "Running", overallScore: null, rulesDone: 1 },
    ]);

    await runLeasedEvaluation(heir);
    await expect(runLeasedEvaluation(zombie)).rejects.toBeInstanceOf(LeaseLost);
    expect(await getEvaluation(ctx, heir.id)).toMatchObject({ overallScore: 100, passedCount: 2 });
  });

  test("cannot be stored by it either if it only notices then", async () => {
    const contract = await contractWith(passes, sleeps(0.3));
    const zombie = await beginEvaluation(contract.id, { trigger: "Manual" });
    if (!zombie) throw new Error("Nothing is in progress yet");
    const running = runLeasedEvaluation(zombie);
    const outcome = expect(running).rejects.toBeInstanceOf(LeaseLost);
    const measured = (done: number) =>
      until(async () => (await getEvaluation(ctx, zombie.id)).progress.done === done);
    await measured(1);
    const isStoring = async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"contracts"%for share%'`;
      return waiting.length > 0;
    };
    // Someone edits the contract, so that storing has to wait; meanwhile the lease is lost.
    await db.transaction(async (tx) => {
      await tx.select().from(contracts).where(eq(contracts.id, contract.id)).for("update");
      await until(isStoring);
      await elsewhere(async () => {
        await expireLease(zombie.id);
        await evaluationLeases.take(zombie.id);
      });
    });
    await outcome;
    expect(await stored(contract.id)).toMatchObject([{ status: "Running", overallScore: null, attempts: 2 }]);
  });

  test("repeatedly is given up as failed", async () => {
    const contract = await contractWith(passes);
    const { id: evaluationId } = await abandoned(contract.id, { attempts: limits.maxAttempts });
    await recoverAbandonedEvaluations();
    expect(await getEvaluation(ctx, evaluationId)).toMatchObject({
      status: "Completed",
      overallScore: 0,
      ruleResults: [{ message: "Execution failed: the evaluation was interrupted 3 times" }],
    });
  });

  test("is dropped if its contract was archived", async () => {
    const contract = await contractWith(passes);
    await abandoned(contract.id);
    await archiveContract(ctx, contract.id);
    await recoverAbandonedEvaluations();
    expect(await stored(contract.id)).toEqual([]);
  });
});

describe("a scheduled evaluation", () => {
  const six = new Date("2026-03-01T06:00:00.000Z");
  const seven = new Date("2026-03-01T07:00:00.000Z");

  test("happens once per scheduled time, however often its job is retried", async () => {
    const contract = await contractWith(passes);
    const [first, second] = await Promise.all([
      evaluateDueContract(contract.id, six),
      evaluateDueContract(contract.id, six),
    ]);
    expect(second).toEqual(first);
    expect(await evaluateDueContract(contract.id, six)).toEqual(first);
    expect(await evaluateDueContract(contract.id, seven)).not.toEqual(first);
    expect(await stored(contract.id)).toMatchObject([
      { trigger: "Scheduled", scheduledFor: six, status: "Completed" },
      { trigger: "Scheduled", scheduledFor: seven },
    ]);
  });

  test("waits for a manual one, and is separate from it", async () => {
    const contract = await contractWith(sleeps(0.3));
    const manual = await startEvaluation(ctx, contract.id);
    const scheduled = await evaluateDueContract(contract.id, six);
    expect(scheduled).not.toEqual({ evaluationId: manual.id });
    expect(await stored(contract.id)).toMatchObject([
      { trigger: "Manual", status: "Completed" },
      { trigger: "Scheduled", status: "Completed" },
    ]);
  });

  test("is finished by the retry if its process died", async () => {
    const contract = await contractWith(passes);
    const lease = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor: six });
    await expireLease(lease?.id ?? 0);
    expect(await evaluateDueContract(contract.id, six)).toEqual({ evaluationId: lease?.id });
    expect(await stored(contract.id)).toMatchObject([{ status: "Completed", attempts: 2 }]);
  });

  test("records the version whose rules it measures, though an edit comes between the two", async () => {
    const contract = await contractWith(passes);
    // Saves an edit once, right after the evaluation has begun and recorded the version before.
    await sql.unsafe(`
      create table edited_once (contract_id int primary key);
      create function edit_once() returns trigger language plpgsql as $$
      begin
        insert into edited_once values (new.contract_id) on conflict do nothing;
        if found then
          update contracts set version = version + 1, revision = revision + 1 where id = new.contract_id;
          update rules set name = 'edited' where contract_id = new.contract_id;
        end if;
        return null;
      end $$;
      create trigger edit_once after insert on evaluations
        for each row when (new.contract_id = ${contract.id}) execute function edit_once();
    `);
    await evaluateDueContract(contract.id, six);
    await sql.unsafe("drop trigger edit_once on evaluations");
    expect(await stored(contract.id)).toMatchObject([{ version: 2, status: "Completed", rulesTotal: 1 }]);
    const [evaluation] = await stored(contract.id);
    const { ruleResults } = await getEvaluation(ctx, evaluation?.id ?? 0);
    expect(ruleResults).toMatchObject([{ ruleName: "edited", passed: true }]);
  });

  test("does not happen if the contract was disabled or archived meanwhile", async () => {
    const contract = await contractWith(passes);
    await db.update(contracts).set({ enabled: false }).where(eq(contracts.id, contract.id));
    expect(await evaluateDueContract(contract.id, six)).toEqual({ skipped: "The contract is disabled" });
    await archiveContract(ctx, contract.id);
    expect(await evaluateDueContract(contract.id, six)).toEqual({ skipped: "The contract is archived" });
    expect(await stored(contract.id)).toEqual([]);
  });
});

test("a manual evaluation does not wait behind scheduled ones", async () => {
  const own = await aDataSource();
  const contractOf = (...rules: ReturnType<typeof aRule>[]) =>
    aContract({ dataSourceId: own.id, rules }, ctx);
  const at = new Date("2026-03-01T06:00:00.000Z");
  const slow = await Promise.all([1, 2, 3, 4].map(() => contractOf(sleeps(0.91), sleeps(0.91))));
  const quick = await contractOf(passes, fails);
  const scheduled = slow.map(({ id }) => evaluateDueContract(id, at));
  const sleeping = () => sql`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(0.91)%'
      and pid <> pg_backend_pid()`;
  await until(async () => (await sleeping()).length === 2);
  const byHand = evaluateContract(ctx, quick.id).then(() => "manually");
  expect(await Promise.race([byHand, ...scheduled])).toBe("manually");
  await Promise.all(scheduled);
});

test("an archived contract cannot be evaluated", async () => {
  const contract = await contractWith(passes);
  await archiveContract(ctx, contract.id);
  await expect(evaluateContract(ctx, contract.id)).rejects.toMatchObject({
    code: "not_found",
    detail: "Data contract not found",
  });
});

test("nobody evaluates a contract that they cannot access", async () => {
  const contract = await contractWith(passes);
  const stranger = await asAdmin({ projectIds: [] });
  for (const attempt of [evaluateContract, startEvaluation, getContract])
    await expect(attempt(stranger, contract.id)).rejects.toMatchObject({ code: "not_found" });
  const evaluation = await evaluateContract(ctx, contract.id);
  await expect(getEvaluation(stranger, evaluation.id)).rejects.toMatchObject({ code: "not_found" });
  await expect(listEvaluations(stranger, contract.id, 20)).rejects.toMatchObject({ code: "not_found" });
});
