import type { BriefedQuery, Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { type Fences, newFences } from "./fences.ts";
import { instructionsFor } from "./instructions.ts";
import { clipped, within } from "./room.ts";
import { namesIn, tableLines } from "./told-tables.ts";
import { withoutValues } from "./without-values.ts";

/** In characters. What is longer is cut or left out, and the prompt says so. */
export const mostOfPrompt = {
  all: 60_000,
  /** Of each text that says what is wanted. */
  task: 8000,
  repair: 8000,
  revision: 6000,
  pending: 4000,
  queries: 14_000,
  conversation: 8000,
  message: 2000,
  /** Tables have at least so much, whatever else there is to say. */
  leastForTables: 10_000,
  sql: 3000,
  comment: 200,
  error: 400,
};

/**
 * What a language model is asked. It holds names, types, keys, comments and COUNTS of tables: how many rows, NULLs and
 * different values there are, and how old the newest time is. What stands in the cells never leaves the service: no
 * least or greatest value, no newest time, no samples, and no values that an engine quotes in its errors.
 */
export function promptFor(
  briefing: Briefing,
  repair: Repair | null,
  fences: Fences = newFences(),
): { system: string; prompt: string } {
  const known = namesIn(briefing.tables);
  const first = [
    `It is ${briefing.now}. ${why(briefing)}`,
    ...tasksOf(briefing, fences),
    ...revisionOf(briefing, fences),
    ...(repair ? [repairOf(repair, known, fences)] : []),
    fences.data("data source", [
      JSON.stringify({
        name: briefing.dataSource.name,
        dialect: briefing.dataSource.dialect,
        defaultSchema: briefing.dataSource.defaultSchema,
      }),
    ]),
  ];
  // Tables get what the rest leaves, but the rest is cut before they vanish.
  let left = mostOfPrompt.all - lengthOf(first) - mostOfPrompt.leastForTables;
  const take = (most: number, section: (most: number) => string | null): string[] => {
    const made = section(Math.max(0, Math.min(most, left)));
    if (made === null) return [];
    left -= made.length;
    return [made];
  };
  const queries = take(mostOfPrompt.queries, (most) => queriesIn(briefing, known, most, fences));
  const pending = take(mostOfPrompt.pending, (most) => pendingIn(briefing, most, fences));
  const conversation = take(mostOfPrompt.conversation, (most) => conversationIn(briefing, most, fences));
  const tables = tablesIn(briefing, Math.max(0, left) + mostOfPrompt.leastForTables, fences);
  return {
    system: instructionsFor(briefing, fences.boundary),
    prompt: [
      ...first,
      tables,
      ...queries,
      ...pending,
      ...conversation,
      "Answer now, with the JSON object alone.",
    ].join("\n\n"),
  };
}

const lengthOf = (sections: readonly string[]) => sections.reduce((sum, { length }) => sum + length + 2, 0);

function why({ occasion, queries }: Briefing): string {
  if (occasion.revision)
    return "A person has sent your plan back. Make its next version: a whole one that takes the former's place, changed as the feedback asks and otherwise as it was.";
  switch (occasion.trigger) {
    case "InitialSetup":
      return "You are being set up: propose the first queries, each with its subscription.";
    case "UserInstruction":
      return occasion.instruction === null
        ? "A person has asked you to look at everything anew."
        : "A person has just told you something: it is the TASK section “instruction”.";
    case "SubscriptionExecution": {
      const finished = new Set(occasion.finishedExecutionIds);
      const shown = queries.flatMap(({ subscriptions }) =>
        subscriptions.flatMap(({ executions }) => executions.filter(({ id }) => finished.has(id))),
      );
      return `${finished.size} executions of your subscriptions have finished since you thought last${shown.length > 0 ? `, which are marked "isNew" below` : ""}.`;
    }
  }
}

function tasksOf({ actor, occasion }: Briefing, { task }: Fences): string[] {
  const most = mostOfPrompt.task;
  return [
    task("what to watch", clipped(actor.instructions, most)),
    ...(actor.additionalContext ? [task("context", clipped(actor.additionalContext, most))] : []),
    ...(occasion.instruction !== null ? [task("instruction", clipped(occasion.instruction, most))] : []),
    ...(occasion.revision ? [task("feedback on your plan", clipped(occasion.revision.feedback, most))] : []),
  ];
}

function revisionOf({ occasion: { revision } }: Briefing, { data }: Fences): string[] {
  if (!revision) return [];
  const { analysis, keyFindings, actions } = revision;
  const lines = [
    JSON.stringify({
      analysis: clipped(analysis, 2000),
      keyFindings: keyFindings.slice(0, 7).map((each) => clipped(each, 300)),
    }),
    ...actions.map((action) => JSON.stringify(toldAction(action))),
  ];
  return [
    data("the plan that was sent back, one action a line", within(lines, mostOfPrompt.revision, "actions")),
  ];
}

function repairOf({ proposal, faults }: Repair, known: ReadonlySet<string>, { data }: Fences): string {
  const failed = new Map(faults.map(({ index, errors }) => [index, errors]));
  const lines = proposal.actions.map((action, index) => {
    const sql = "sql" in action ? action.sql : "";
    const errors = failed
      .get(index)
      ?.map((error) => clipped(withoutValues(error, sql, known), mostOfPrompt.error));
    return JSON.stringify({ index, ...(errors ? { errors } : {}), action: toldAction(action) });
  });
  const intro =
    "You have just proposed the following, and what has errors was refused. Propose the whole again: what had none as it was, the rest corrected, or left out where it cannot be right.";
  return `${intro}\n${data("your proposal, one action a line", within(lines, mostOfPrompt.repair, "actions"))}`;
}

const toldAction = (action: ProposedAction): ProposedAction =>
  "sql" in action ? { ...action, sql: clipped(action.sql, mostOfPrompt.sql) } : action;

function queriesIn(
  { queries, occasion }: Briefing,
  known: ReadonlySet<string>,
  most: number,
  { data }: Fences,
): string | null {
  if (queries.length === 0) return null;
  const finished = new Set(occasion.finishedExecutionIds);
  const lines = queries.map((query) => JSON.stringify(toldQuery(query, finished, known)));
  return data("your queries, one a line", within(lines, most, "queries"));
}

function toldQuery(query: BriefedQuery, finished: ReadonlySet<number>, known: ReadonlySet<string>) {
  const { id, name, description, sql, subscriptions } = query;
  return {
    queryId: id,
    name,
    ...(description ? { description: clipped(description, mostOfPrompt.comment) } : {}),
    sql: clipped(sql, mostOfPrompt.sql),
    subscriptions: subscriptions.map(({ id, cronExpression, timezone, enabled, executions }) => ({
      subscriptionId: id,
      cronExpression,
      timezone,
      ...(enabled ? {} : { enabled }),
      executions: executions.slice(0, 10).map((execution) => ({
        status: execution.status,
        rowCount: execution.rowCount,
        at: execution.executedAt,
        ...(execution.errorMessage
          ? { error: clipped(withoutValues(execution.errorMessage, sql, known), mostOfPrompt.error) }
          : {}),
        ...(finished.has(execution.id) ? { isNew: true } : {}),
      })),
    })),
  };
}

function pendingIn({ pendingActions }: Briefing, most: number, { data }: Fences): string | null {
  if (pendingActions.length === 0) return null;
  const lines = pendingActions.map((action) => JSON.stringify(toldAction(action)));
  return data(
    "what you have proposed and nobody has decided, one action a line",
    within(lines, most, "actions"),
  );
}

/** The last messages count most: the first are left out. */
function conversationIn({ conversation }: Briefing, most: number, { data }: Fences): string | null {
  if (conversation.length === 0) return null;
  const lines = conversation.map(({ role, text }) =>
    JSON.stringify({ from: role === "Person" ? "person" : "you", text: clipped(text, mostOfPrompt.message) }),
  );
  return data("the conversation, oldest first", within(lines.reverse(), most, "earlier messages").reverse());
}

function tablesIn(briefing: Briefing, room: number, { data }: Fences): string {
  const { actor, occasion, queries, tables, omittedTables: omitted } = briefing;
  if (tables.length === 0) return "The data source has no tables that you may read.";
  const said = [
    actor.instructions,
    actor.additionalContext ?? "",
    occasion.instruction ?? "",
    occasion.revision?.feedback ?? "",
    ...queries.map(({ sql }) => sql),
  ];
  const legend =
    "Tables, one a line. counts: rows that were read (all of the table, or some of it), and for each column how many were NULL, how many values were different, and for times the age of the newest one.";
  return `${legend}\n${data("tables", tableLines(tables, { said, omitted, room }))}`;
}
