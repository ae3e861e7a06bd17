import { eq, sql as query } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { createWindow } from "../../maintenance/service.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import { captureLog } from "../../test/captured-log.ts";
import { elsewhere } from "../../test/elsewhere.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { Decimal } from "../decimal.ts";
import { contractAlerts, evaluations, ruleResults, ruleScores, tableScores } from "../evaluations/tables.ts";
import { couldNotRun, fail, pass } from "../rules/verdict.ts";
import type { ContractInput } from "../schema.ts";
import { contracts, rules } from "../tables.ts";
import type { EvaluatedContract } from "./evaluated-contract.ts";
import { beginEvaluation } from "./leases.ts";
import { storeEvaluation } from "./store-evaluation.ts";
import { type Evaluated, storeEvaluations } from "./store-evaluations.ts";

const lines = captureLog();

let ctx: SignedIn;
beforeAll(async () => {
  ctx = await asAdmin();
});

const both = [
  aRule("Volume", { minRows: 0 }, { name: "First" }),
  aRule("NullRate", { column: "id", maxNullPercent: 5 }, { name: "Second" }),
];

let minute = 0;

/** A scheduled evaluation of a contract that has been measured, but not stored: of its rules, these pass. */
async function evaluated(
  contractId: number,
  passing: readonly boolean[] | "unreachable",
  more: Partial<Evaluated> = {},
): Promise<Evaluated> {
  minute += 1;
  const scheduledFor = new Date(Date.UTC(2026, 0, 1, 0, minute));
  const lease = await beginEvaluation(contractId, { trigger: "Scheduled", scheduledFor });
  if (!lease) throw new Error("The evaluation has not begun");
  const own = await db.select().from(rules).where(eq(rules.contractId, contractId)).orderBy(rules.position);
  const reason = passing === "unreachable" ? "Connection refused" : null;
  const told = { expected: "at least 5", actual: "4", measured: new Decimal(4) };
  const results = own.map((rule, place) => ({
    rule: { ...rule, lastRun: undefined, revision: 1 },
    verdict: reason !== null ? couldNotRun(reason) : (passing[place] ? pass : fail)(told),
    ...{ executionTimeMs: 3, unreachableBecause: reason },
  }));
  const passed = results.filter(({ verdict }) => verdict.passed).length;
  return {
    ...{ lease, contract: lease.begun as EvaluatedContract, results, score: (100 * passed) / own.length },
    ...{ notEvaluatedBecause: reason, executionTimeMs: 12, cost: null, ...more },
  };
}

/** A project with a data source, and a recipient that its contracts alert. */
async function aTeam(name: string) {
  const { id: dataSourceId, projectId } = await aDataSource();
  const { id: recipientId } = await aRecipient({ projectId, name });
  const contractOf = (contract: Partial<ContractInput>) =>
    aContract(
      { dataSourceId, rules: both, recipientIds: [recipientId], createTasks: true, ...contract },
      ctx,
    );
  return { dataSourceId, projectId, contractOf };
}

/**
 * Evaluations of all kinds, of contracts of two projects, each of a table of its own but for the two of `shared`: those below
 * the threshold of 80 have 50.
 */
async function allKinds(): Promise<Evaluated[]> {
  const [team, others] = [await aTeam("Team"), await aTeam("Others")];
  const made = async (name: string, contract: Partial<ContractInput> = {}, of = team) =>
    (await of.contractOf({ name, tableName: name.toLowerCase().replaceAll(" ", "_"), ...contract })).id;
  const storeOne = async (run: Evaluated) => db.transaction((tx) => storeEvaluations(tx, [run], "wait"));

  const again = await made("Still below");
  const recovers = await made("Recovers");
  const worse = await made("Gets worse");
  const comesBack = await made("Comes back");
  for (const id of [again, recovers]) await storeOne(await evaluated(id, [true, false]));
  await storeOne(await evaluated(worse, [true, false]));
  await storeOne(await evaluated(comesBack, "unreachable"));
  const silenced = await made("Silenced");
  const silentlyOver = await made("Silently over");
  await storeOne(await evaluated(silentlyOver, [true, false]));
  for (const id of [silenced, silentlyOver])
    await db
      .update(contracts)
      .set({ silencedUntil: query`now() + interval '1 hour'` })
      .where(eq(contracts.id, id));
  const inMaintenance = await aTeam("Idle");
  await createWindow(ctx, {
    ...{ projectId: inMaintenance.projectId, name: "Move", timezone: "UTC", dataSourceIds: null, tags: null },
    ...{ startsAt: new Date(Date.now() - 1000), endsAt: new Date(Date.now() + 3_600_000) },
  });
  const edited = await made("Edited");
  const evaluatedBefore = await evaluated(edited, [false, true]);
  await db.delete(rules).where(eq(rules.id, evaluatedBefore.results[0]?.rule.id ?? 0));
  const archived = await evaluated(await made("Archived"), [false, false]);
  await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, archived.contract.id));
  const lost = await evaluated(await made("Lost"), [false, false]);
  return [
    await evaluated(await made("Falls below"), [true, false]),
    await evaluated(again, [true, false]),
    await evaluated(recovers, [true, true]),
    await evaluated(worse, [false, false]),
    await evaluated(comesBack, [true, true]),
    await evaluated(silenced, [true, false]),
    await evaluated(silentlyOver, [true, true]),
    await evaluated(await made("In maintenance", {}, inMaintenance), [true, false]),
    await evaluated(await made("Unreachable", {}, others), "unreachable"),
    await evaluated(await made("Of others", {}, others), [true, false]),
    await evaluated(await made("Without tasks", { createTasks: false }), [true, false]),
    await evaluated(await made("Without recipients", { recipientIds: [] }), [true, false]),
    await evaluated(await made("Without alerts", { alertOnFailure: false }), [true, false]),
    await evaluated(await made("Quiet"), [true, true]),
    await evaluated(await made("Shared one", { tableName: "shared" }), [true, true]),
    await evaluated(await made("Shared two", { tableName: "shared" }), [true, false]),
    evaluatedBefore,
    archived,
    { ...lost, lease: { ...lost.lease, token: crypto.randomUUID() } },
  ];
}

type State = Awaited<ReturnType<typeof stateOf>>;

/** What is stored of a contract, without what differs between two of the same kind: ids and times. */
async function stateOf({ lease, contract }: Evaluated) {
  const id = contract.id;
  const [named] = await db.select().from(contracts).where(eq(contracts.id, id));
  const [evaluation] = await db.select().from(evaluations).where(eq(evaluations.id, lease.id));
  const results = await db
    .select()
    .from(ruleResults)
    .where(eq(ruleResults.evaluationId, lease.id))
    .orderBy(ruleResults.position);
  const scores = await db
    .select()
    .from(ruleScores)
    .where(eq(ruleScores.evaluationId, lease.id))
    .orderBy(ruleScores.position);
  const found = await db.select().from(tasks).where(eq(tasks.contractId, id));
  const [alert] = await db.select().from(contractAlerts).where(eq(contractAlerts.contractId, id));
  const told = await db
    .select({ content: notifications.content, to: deliveries.recipientName, projectId: deliveries.projectId })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(eq(notifications.causeId, lease.id));
  const [score] = await db
    .select()
    .from(tableScores)
    .where(query`data_source_id = ${contract.dataSourceId} and table_name = ${contract.tableName}`);
  return {
    name: named?.name,
    evaluation: evaluation && {
      status: evaluation.status,
      score: evaluation.overallScore,
      counts: [evaluation.passedCount, evaluation.failedCount, evaluation.rulesDone],
      because: evaluation.notEvaluatedBecause,
      ms: evaluation.executionTimeMs,
    },
    results: results.map(({ evaluationId: _, ruleId: __, ...result }) => result),
    scores: scores.map(({ name, passed, score, measured }) => ({ name, passed, score, measured })),
    tasks: found.map(({ status, latestScore, executionCount, resolutionNotes }) => ({
      ...{ status, latestScore, executionCount, resolutionNotes },
    })),
    alert: alert && {
      score: alert.lastToldScore,
      isOutage: alert.toldNotEvaluated,
      rules: alert.toldRuleKeys.length,
      recipients: alert.toldRecipientIds.length,
      isFirst: alert.openedAt.getTime() === alert.lastToldAt.getTime(),
    },
    told: told.map(({ content, to }) => ({
      to,
      tone: content.tone,
      summary: content.summary.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "then"),
      facts: content.facts,
      canTakeTask: content.actions?.some(({ label }) => label === "Assign to me") ?? false,
    })),
    table: score && {
      current: score.currentScore,
      previous: score.previousScore,
      trend: score.trend,
      history: score.history.map(({ score }) => score),
      outage: score.measured?.outage?.reason ?? null,
    },
  };
}

const storeTogether = (runs: readonly Evaluated[], ifLocked: "wait" | "skip" = "skip") =>
  db.transaction((tx) => storeEvaluations(tx, runs, ifLocked));

test("evaluations that are stored together leave what they leave one by one", async () => {
  const apart = await allKinds();
  for (const run of apart) await storeTogether([run], "wait");
  const together = await allKinds();
  const stored = await storeTogether(together);
  expect(stored.map((each) => each !== null)).toEqual(
    together.map((_, place) => place < together.length - 1),
  );
  const states: State[] = [];
  for (const [place, run] of together.entries()) {
    const state = await stateOf(run);
    states.push(state);
    expect(state).toEqual(await stateOf(apart[place] as Evaluated));
  }
  const of = (name: string) => states.find((state) => state.name === name);

  const open = { status: "Open", latestScore: 50, executionCount: 1, resolutionNotes: null };
  const known = { score: 50, isOutage: false, rules: 1, recipients: 1, isFirst: true };
  const below = "public.falls_below scored 50, below the threshold of 80: 1 rule failed.";
  expect(of("Falls below")).toMatchObject({
    evaluation: { status: "Completed", score: 50, counts: [1, 1, 2], because: null, ms: 12 },
    results: [
      { passed: true },
      { passed: false, expectedValue: "at least 5", actualValue: "4", groups: null },
    ],
    scores: [
      { name: "First", passed: true, score: 100, measured: 4 },
      { name: "Second", passed: false, score: 0, measured: 4 },
    ],
    ...{ tasks: [open], alert: known },
    told: [{ to: "Team", tone: "Critical", summary: expect.stringContaining("50"), canTakeTask: true }],
    table: { current: 50, previous: null, trend: "Stable", history: [50], outage: null },
  });
  expect(of("Falls below")?.told[0]?.summary.replace(/\p{Cf}/gu, "")).toBe(below);
  expect(of("Still below")).toMatchObject({
    tasks: [{ ...open, executionCount: 2 }],
    alert: known,
    told: [],
  });
  expect(of("Recovers")).toMatchObject({
    tasks: [
      {
        status: "Resolved",
        latestScore: 100,
        resolutionNotes: "Auto-resolved: The score is back above the threshold",
      },
    ],
    ...{ alert: undefined, told: [{ tone: "Good" }] },
    table: { current: 100, previous: 50, trend: "Improving" },
  });
  expect(of("Gets worse")).toMatchObject({
    tasks: [{ status: "Open", latestScore: 0, executionCount: 2 }],
    alert: { score: 0, rules: 2, isFirst: false },
    told: [{ summary: expect.stringContaining("The last alert reported 50.") }],
  });
  expect(of("Comes back")).toMatchObject({
    ...{ tasks: [{ status: "Resolved" }], alert: undefined, told: [{ tone: "Good" }] },
    table: { current: 100, previous: 0, history: [0, 100], outage: null },
  });
  expect(of("Silenced")).toMatchObject({ tasks: [open], alert: undefined, told: [] });
  expect(of("Silently over")).toMatchObject({ tasks: [{ status: "Resolved" }], alert: undefined, told: [] });
  expect(of("In maintenance")).toMatchObject({ tasks: [open], alert: undefined, told: [] });
  expect(of("Unreachable")).toMatchObject({
    evaluation: { score: 0, because: "Connection refused" },
    ...{ scores: [], tasks: [{ status: "Open", latestScore: 0 }] },
    alert: { score: 0, isOutage: true, rules: 0 },
    told: [{ to: "Others", summary: expect.stringContaining("It has not been measured yet.") }],
    table: { current: 0, outage: "Connection refused" },
  });
  expect(of("Of others")).toMatchObject({ tasks: [open], alert: known, told: [{ to: "Others" }] });
  expect(of("Without tasks")).toMatchObject({ tasks: [], alert: known, told: [{ canTakeTask: false }] });
  expect(of("Without recipients")).toMatchObject({ tasks: [open], alert: undefined, told: [] });
  expect(of("Without alerts")).toMatchObject({ tasks: [open], alert: undefined, told: [] });
  expect(of("Quiet")).toMatchObject({ evaluation: { score: 100 }, tasks: [], alert: undefined, told: [] });
  expect(of("Shared two")?.table?.history.toSorted()).toEqual([100, 50]);
  expect(of("Edited")).toMatchObject({
    results: [{ position: 1 }],
    scores: [{ name: "First" }, { name: "Second" }],
  });
  expect(of("Archived")).toMatchObject({
    evaluation: { status: "Completed" },
    tasks: [],
    told: [],
    table: undefined,
  });
  expect(of("Lost")).toMatchObject({ evaluation: { status: "Running" }, results: [], scores: [], tasks: [] });
});

const storeAll = (runs: readonly Evaluated[]) =>
  Promise.allSettled(
    runs.map(({ lease, contract, results, executionTimeMs, cost }) =>
      storeEvaluation(lease, contract, results, { executionTimeMs, cost }),
    ),
  );

const transactionsOf = async (runs: readonly Evaluated[]) => {
  const ids = runs.map(({ lease }) => lease.id);
  const found = await db.execute<{ by: string; status: string }>(
    query`select xmin::text as by, status from evaluations where id = any(${`{${ids.join()}}`}::integer[])`,
  );
  expect(found.map(({ status }) => status)).toEqual(runs.map(() => "Completed"));
  return new Set(found.map(({ by }) => by)).size;
};

test("scheduled evaluations that end at the same time are stored in one transaction, by hand in their own", async () => {
  const { contractOf } = await aTeam("Team");
  const runs: Evaluated[] = [];
  for (const tableName of ["a", "b", "c", "d"])
    runs.push(await evaluated((await contractOf({ tableName })).id, [true, false]));
  await storeAll(runs);
  expect(await transactionsOf(runs)).toBe(1);

  const byHand: Evaluated[] = [];
  for (const tableName of ["a", "b"]) {
    const run = await evaluated((await contractOf({ tableName })).id, [true, false]);
    byHand.push({ ...run, contract: { ...run.contract, trigger: "Manual" } });
  }
  await storeAll(byHand);
  expect(await transactionsOf(byHand)).toBe(2);
});

test("a contract that is being changed is waited for alone, and the others are not", async () => {
  const { contractOf } = await aTeam("Team");
  const [busy, free] = [
    await evaluated((await contractOf({ tableName: "busy" })).id, [true, false]),
    await evaluated((await contractOf({ tableName: "free" })).id, [true, false]),
  ];
  let stored: Promise<unknown> | undefined;
  await db.transaction(async (tx: Transaction) => {
    await tx.select().from(contracts).where(eq(contracts.id, busy.contract.id)).for("update");
    expect(await elsewhere(() => storeTogether([busy, free]))).toEqual([null, { wantsSamples: true }]);
    stored = elsewhere(() => storeAll([busy]));
  });
  expect(await stored).toMatchObject([{ status: "fulfilled" }]);
  expect(await transactionsOf([busy, free])).toBe(2);
});

test("a task that others hold for long keeps its own evaluation waiting, and no other", async () => {
  const { contractOf } = await aTeam("Team");
  const [busy, free] = [
    (await contractOf({ tableName: "held" })).id,
    (await contractOf({ tableName: "loose" })).id,
  ];
  await storeTogether([await evaluated(busy, [true, false]), await evaluated(free, [true, false])]);
  const runs = [await evaluated(busy, [true, false]), await evaluated(free, [true, false])];
  const [waits, others] = runs as [Evaluated, Evaluated];
  let stored: ReturnType<typeof storeAll> | undefined;
  await db.transaction(async (tx) => {
    await tx.select().from(tasks).where(eq(tasks.contractId, busy)).for("update");
    stored = elsewhere(() => storeAll(runs));
    await vi.waitUntil(() => elsewhere(async () => (await stateOf(others)).evaluation?.score === 50), 20_000);
    expect(await elsewhere(() => stateOf(waits))).toMatchObject({ evaluation: { status: "Running" } });
  });
  expect(await stored).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
  expect(await stateOf(waits)).toMatchObject({ tasks: [{ executionCount: 2 }] });
});

test("what cannot be stored of one evaluation does not keep the others", async () => {
  const { contractOf } = await aTeam("Team");
  const runs: Evaluated[] = [];
  for (const tableName of ["one", "two", "three"])
    runs.push(await evaluated((await contractOf({ tableName })).id, [true, false]));
  const [one, two, three] = runs as [Evaluated, Evaluated, Evaluated];
  // No integer, which is what the column takes.
  const outcomes = await storeAll([one, { ...two, executionTimeMs: 0.5 }, three]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await transactionsOf([one, three])).toBe(2);
  expect(await stateOf(two)).toMatchObject({
    evaluation: { status: "Running" },
    results: [],
    tasks: [],
    told: [],
  });
});

/** What the statement for quiet evaluations says, and no other. */
const quickly = "%count(*) from added%";

test.each([
  ["fails", "raise exception 'no'", 1],
  ["meets another score of the table", "perform 1 / 0", 0],
])("a quiet evaluation is stored even if the statement for those %s", async (_, does, warnings) => {
  const { contractOf } = await aTeam("Team");
  const run = await evaluated((await contractOf({ tableName: "quiet" })).id, [true, true]);
  await db.execute(
    query.raw(`
      create function prevent() returns trigger language plpgsql as $$
        begin if current_query() like '${quickly}' then ${does}; end if; return new; end $$;
      create trigger prevent before insert on table_scores for each row execute function prevent()`),
  );
  lines.length = 0;
  try {
    expect(await storeAll([run])).toMatchObject([{ status: "fulfilled" }]);
  } finally {
    await db.execute(query.raw("drop trigger prevent on table_scores; drop function prevent"));
  }
  expect(await stateOf(run)).toMatchObject({ evaluation: { score: 100 }, table: { current: 100 } });
  expect(lines.filter((line) => line.includes("could not be stored quickly"))).toHaveLength(warnings);
});
