import { eq, sql as query } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { db, sql } from "../db/client.ts";
import { startEngine } from "../jobs/engine/engine.ts";
import { runDue } from "../jobs/schedules.ts";
import { occurrences } from "../jobs/tables.ts";
import { aContract, aRule } from "../test/factories/contracts.ts";
import { aJob } from "../test/factories/jobs.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { evaluations } from "./evaluations/tables.ts";
import { contractDue } from "./events.ts";
import {
  applyChangedTemplates,
  applyTemplatesToSchema,
  contractSchedule,
  recoverEvaluations,
  runEvaluation,
} from "./jobs.ts";
import { archiveContract, getContract } from "./service/contracts.ts";
import { recoverAbandonedEvaluations } from "./service/evaluate.ts";
import { getEvaluation, listEvaluations } from "./service/history.ts";
import { beginEvaluation } from "./service/leases.ts";
import { createTemplate, getTemplate } from "./service/templates.ts";
import { contracts } from "./tables.ts";
import { createTemplateInput } from "./templates/schema.ts";

let ctx: SignedIn;

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe("create table orders (id int)");
});

afterAll(closeSources);

async function anEngine() {
  const engine = await startEngine([runEvaluation, recoverEvaluations], { pollMs: 100 });
  onTestFinished(() => engine.stop());
  return engine;
}

/** A contract that just became due. */
async function aDueContract() {
  const contract = await aContract(
    { rules: [aRule("Volume", { minRows: 1 }), aRule("Volume", { maxRows: 1 })] },
    ctx,
  );
  const due = new Date(Date.now() - 1000);
  await db.update(contracts).set({ nextRunAt: due }).where(eq(contracts.id, contract.id));
  return { ...contract, due };
}

test("a due contract is evaluated once, and its next run is in the future", async () => {
  const engine = await anEngine();
  const contract = await aDueContract();
  await Promise.all([runDue(contractSchedule), runDue(contractSchedule)]);
  await engine.idle();

  const { items } = await listEvaluations(ctx, contract.id, 20);
  // The table is empty: (0 + 100) / 2
  expect(items).toMatchObject([{ trigger: "Scheduled", overallScore: 50, status: "Completed" }]);
  const after = await getContract(ctx, contract.id);
  expect(after).toMatchObject({ latestScore: 50 });
  expect(after.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
});

test("a job that lost five processes, as one waiting for another evaluation may, is not given up", async () => {
  const { id: contractId, due: scheduledFor } = await aDueContract();
  await db.insert(occurrences).values({ kind: contractSchedule.kind, objectId: contractId, scheduledFor });
  await aJob({
    ...{ functionId: "plumbline-run-evaluation", eventName: contractDue.name },
    data: { contractId, scheduledFor: scheduledFor.toISOString() },
    ...{ status: "Running", attempt: 5, dueAt: new Date(0) },
  });
  const engine = await anEngine();
  await engine.idle();
  expect((await listEvaluations(ctx, contractId, 20)).items).toMatchObject([
    { trigger: "Scheduled", status: "Completed" },
  ]);
});

test("a contract archived between its claim and its run is not evaluated", async () => {
  const contract = await aDueContract();
  await runDue(contractSchedule);
  await archiveContract(ctx, contract.id);
  const engine = await anEngine();
  await engine.idle();
  expect(await db.select().from(evaluations).where(eq(evaluations.contractId, contract.id))).toEqual([]);
  // Its occurrence is claimed, so that nothing retries it.
  expect(await db.select().from(occurrences).where(eq(occurrences.objectId, contract.id))).toMatchObject([
    { scheduledFor: contract.due, claimedBy: expect.any(String) },
  ]);
});

test("disabled and archived contracts are never due", async () => {
  const disabled = await aContract({ enabled: false }, ctx);
  const archived = await aDueContract();
  await archiveContract(ctx, archived.id);
  await runDue(contractSchedule);
  for (const { id } of [disabled, archived])
    expect(await db.select().from(occurrences).where(eq(occurrences.objectId, id))).toEqual([]);
});

test("an evaluation of a dead process is finished", async () => {
  const contract = await aContract({}, ctx);
  const lease = await beginEvaluation(contract.id, { trigger: "Manual" });
  await db
    .update(evaluations)
    .set({ leaseUntil: query`now() - interval '1 second'` })
    .where(eq(evaluations.id, lease?.id ?? 0));
  expect(await recoverAbandonedEvaluations()).toBe(1);
  expect(await getEvaluation(ctx, lease?.id ?? 0)).toMatchObject({
    status: "Completed",
    overallScore: 100,
  });
});

test("a template that changes is applied by a job, and so is what is new in a schema", async () => {
  const engine = await startEngine([applyChangedTemplates, applyTemplatesToSchema], { pollMs: 100 });
  onTestFinished(() => engine.stop());
  const contract = await aContract({}, ctx);
  const { projectId, dataSourceId } = contract;
  const rule = { name: "{column} is set", type: "NullRate", configuration: { maxNullPercent: 0 } };
  const write = { projectId, name: "Set", selector: { columns: ["id", "note"] }, rule };
  const { id } = await createTemplate(ctx, createTemplateInput.parse(write));
  await engine.idle();
  // Its columns are not known yet.
  expect(await getTemplate(ctx, id)).toMatchObject({ isApplied: true, ruleCount: 0 });
  await refreshSchema(ctx, dataSourceId);
  await engine.idle();
  expect((await getContract(ctx, contract.id)).rules.map(({ name }) => name)).toEqual([
    "id is set",
    "Volume",
  ]);
});
