import { beforeEach, expect, test } from "vitest";
import { aProposal } from "../../test/factories/actors.ts";
import { nothingRead } from "../../test/model-server.ts";
import { refineNow, waitForExecution } from "./cycles.ts";
import { requestRevision } from "./decide-plan.ts";
import { getActorExecution, listActorExecutions } from "./load-executions.ts";
import { getPlan } from "./load-plans.ts";
import { anOwnActor, ctx, model, propose, think, twoChecks } from "./scripted-model.fixture.ts";

/** The model's tasks for a request or a revision: first read the note, then plan. */

const note = "Only the public orders, every day at seven in Berlin. And tell the shop.";
const orders = { schemaName: "public", tableName: "orders" };
const read = {
  ...nothingRead,
  tables: [orders, { schemaName: "public", tableName: "ordres" }],
  schedule: { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" },
  rest: ["And tell the shop."],
};

beforeEach(() => {
  model.readings.length = 0;
});

async function refine(actorId: number, wishes: Parameters<typeof refineNow>[1]["wishes"] = null) {
  model.reply({ answer: { ...twoChecks, answers: [{ clause: 1, done: true, because: null }] } });
  return refineNow(ctx, { id: actorId, feedback: note, wishes });
}

test("a note fills the fields with existing names, and the plan says what was read and what was not", async () => {
  const actor = await anOwnActor();
  const asked = model.requests.length;
  model.replyToReading({ answer: read, usage: { input: 100, output: 20 } });
  const execution = await refine(actor.id);
  expect(execution).toMatchObject({
    phase: "Completed",
    wishes: {
      tables: [orders],
      exclude: [],
      checks: [],
      schedule: { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" },
    },
    // 100 + 20 to read the note, and the fake model's 1000 + 200 for the proposal.
    tokensUsed: 1320,
  });
  const { analysis, feedbackAnswers } = await getPlan(ctx, execution.planId ?? 0);
  // The model answered the first sentence; the plan and the cycle say the same.
  expect(feedbackAnswers).toEqual([
    { asked: "Only the public orders, every day at seven in Berlin.", isDone: true, because: null },
    { asked: "And tell the shop.", isDone: false, because: "the actor did not answer it" },
  ]);
  expect(execution.feedbackAnswers).toEqual(feedbackAnswers);
  expect(analysis).toContain(
    "Read from your note: Tables: public.orders. Schedule: 0 7 \\* \\* \\* (Europe/Berlin).\n\n" +
      "- “public.ordres” is not among the tables that the actor can see.\n- Kept as a note: “And tell the shop.”\n\n",
  );
  expect(analysis.endsWith(twoChecks.analysis)).toBe(true);
  // The planning call gets what was read as well as the note itself.
  const planning = model.requests[asked]?.body.messages.at(-1)?.content ?? "";
  expect(planning).toContain('{"holds":"for this request","onlyTable":"public.orders"}');
  expect(planning).toContain('"schedule":{"cronExpression":"0 7 * * *","timezone":"Europe/Berlin"}');
  expect(planning).not.toContain("ordres");
  expect(planning).toContain(note);
  expect(planning).toContain('{"clause":2,"asked":"And tell the shop."}');
});

test("the note is fenced as a task, tables are data, and no counts are included", async () => {
  await refine((await anOwnActor()).id);
  const [reading] = model.readings;
  const [system, user] = reading?.body.messages.map(({ content }) => content) ?? [];
  const [, boundary = ""] = /carry the word ([0-9a-f]{24}),/.exec(system ?? "") ?? [];
  expect(boundary).not.toBe("");
  expect(user).toContain(`<<<TASK ${boundary} note\n${note}\nTASK ${boundary}>>>`);
  const [, tables = ""] =
    new RegExp(`<<<DATA ${boundary} tables, one a line\n([\\s\\S]*)\nDATA`).exec(user ?? "") ?? [];
  expect(tables).toContain('"table":"public.orders"');
  expect(tables).not.toMatch(/"(counts|nulls|different|estimatedRows)":/);
  expect(reading?.body.response_format).toMatchObject({ json_schema: { strict: true } });
});

test("choices in fields are not overwritten; a message of fields alone is not read at all", async () => {
  const actor = await anOwnActor();
  model.replyToReading({ answer: { ...read, checks: ["Volume"] } });
  const chosen = { tables: [{ schemaName: "public" }], exclude: [], checks: ["NullRate" as const] };
  expect((await refine(actor.id, chosen)).wishes).toEqual({
    ...{ tables: [{ schemaName: "public" }], exclude: [], checks: ["NullRate"] },
    schedule: { cronExpression: "0 7 * * *", timezone: "Europe/Berlin" },
  });
  expect(model.readings).toHaveLength(1);
  model.reply({ answer: aProposal() });
  await refineNow(ctx, {
    id: actor.id,
    feedback: "Checks: missing values.",
    wishes: { ...chosen, tables: [] },
  });
  await think(actor.id, aProposal());
  expect(model.readings).toHaveLength(1);
});

test("feedback on a plan may name its actions", async () => {
  const actor = await anOwnActor();
  const plan = await propose(actor.id, twoChecks);
  model.replyToReading({ answer: { ...nothingRead, leaveOut: [2, 7], checks: ["Freshness"] } });
  model.reply({ answer: twoChecks });
  await requestRevision(ctx, { id: plan.id, feedback: "Without the last one, and how old they are" });
  const [begun] = (await listActorExecutions(ctx, { id: actor.id, page: 0, pageSize: 1 })).items;
  await waitForExecution(begun?.id ?? 0);
  const cycle = await getActorExecution(ctx, begun?.id ?? 0);
  expect(cycle.wishes).toEqual({ tables: [], exclude: [], checks: ["Freshness"], leaveOut: [2] });
  expect((await getPlan(ctx, cycle.planId ?? 0)).analysis).toContain(
    "Read from your note: Checks: freshness. Leave out action 3.",
  );
  expect(model.readings[0]?.body.messages.at(-1)?.content).toContain(
    '{"index":2,"kind":"CreateQuery","name":"Orders without customer"}',
  );
});

test("a note that cannot be read still leads to a plan, which says so", async () => {
  const actor = await anOwnActor();
  model.replyToReading({ text: "I would rather not", usage: { input: 1, output: 1 } });
  const execution = await refine(actor.id);
  expect(execution).toMatchObject({ phase: "Completed", wishes: null });
  expect((await getPlan(ctx, execution.planId ?? 0)).analysis).toMatch(/^Your note set no fields: .+\n\n/);
});
