import type { BriefedQuery, Briefing } from "../briefing.ts";
import { findingIn } from "../planner/written-finding.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { choiceLabel } from "../wish-words.ts";
import type { Wishes } from "../wishes.ts";
import { type Fences, newFences } from "./fences.ts";
import { instructionsFor } from "./instructions.ts";
import { clipped, within } from "./room.ts";
import { namesIn, tableLines } from "./told-tables.ts";
import { withoutValues } from "./without-values.ts";

/** In characters. Longer text is truncated or omitted, and the prompt says so. */
export const promptLimits = {
  all: 60_000,
  /** For each text that makes a request. */
  task: 8000,
  repair: 8000,
  revision: 6000,
  pending: 4000,
  queries: 14_000,
  conversation: 8000,
  message: 2000,
  findings: 6000,
  /** The minimum reserved for tables, however much else there is. */
  minForTables: 10_000,
  sql: 3000,
  comment: 200,
  error: 400,
};

/**
 * The prompt for a language model. It contains names, types, keys, comments, and COUNTS of tables: the numbers of rows,
 * NULLs, and distinct values, and the age of the newest time; and for what looks wrong, where and in how many rows.
 * Cell values never leave the service: no minimum or maximum, no newest time, no samples, no values that an engine
 * quotes in its errors, and none that a query for findings searches for.
 */
export function promptFor(
  briefing: Briefing,
  repair: Repair | null,
  fences: Fences = newFences(),
): { instructions: string; prompt: string } {
  const known = namesIn(briefing.tables);
  const first = [
    `It is ${briefing.now}. ${why(briefing)}`,
    ...tasksOf(briefing, fences),
    ...chosenIn(briefing, fences),
    ...clausesIn(briefing, fences),
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
  // Tables get the remaining space, but the rest is truncated before the tables disappear.
  let left = promptLimits.all - lengthOf(first) - promptLimits.minForTables;
  const take = (maxLength: number, section: (maxLength: number) => string | null): string[] => {
    const made = section(Math.max(0, Math.min(maxLength, left)));
    if (made === null) return [];
    left -= made.length;
    return [made];
  };
  const findings = take(promptLimits.findings, (maxLength) => findingsIn(briefing, maxLength, fences));
  const queries = take(promptLimits.queries, (maxLength) => queriesIn(briefing, known, maxLength, fences));
  const pending = take(promptLimits.pending, (maxLength) => pendingIn(briefing, maxLength, fences));
  const conversation = take(promptLimits.conversation, (maxLength) =>
    conversationIn(briefing, maxLength, fences),
  );
  const tables = tablesIn(briefing, Math.max(0, left) + promptLimits.minForTables, fences);
  return {
    instructions: instructionsFor(briefing, fences.boundary),
    prompt: [
      ...first,
      tables,
      ...findings,
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
  const maxLength = promptLimits.task;
  return [
    task("what to watch", clipped(actor.instructions, maxLength)),
    ...(actor.additionalContext ? [task("context", clipped(actor.additionalContext, maxLength))] : []),
    ...(occasion.instruction !== null ? [task("instruction", clipped(occasion.instruction, maxLength))] : []),
    ...(occasion.revision
      ? [task("feedback on your plan", clipped(occasion.revision.feedback, maxLength))]
      : []),
  ];
}

/** The choices in fields, one per line; actions of a plan to leave out are marked in the plan itself. */
function chosenIn({ actor, occasion }: Briefing, { data }: Fences): string[] {
  const told = (holds: string, { tables, exclude, checks, schedule, maxChecks }: Wishes) =>
    [
      ...(checks.length > 0 ? [{ onlyChecks: checks }] : []),
      ...(schedule ? [{ schedule }] : []),
      ...(maxChecks ? [{ maxChecks }] : []),
      ...tables.map((choice) => ({ onlyTable: choiceLabel(choice) })),
      ...exclude.map((choice) => ({ exclude: choiceLabel(choice) })),
    ].map((choice) => JSON.stringify({ holds, ...choice }));
  const lines = [
    ...(actor.wishes ? told("always", actor.wishes) : []),
    ...(occasion.wishes ? told("for this request", occasion.wishes) : []),
  ];
  return lines.length === 0
    ? []
    : [data("what was chosen, one choice a line", within(lines, promptLimits.task, "choices"))];
}

/** Numbered, so that each can be answered. The whole note is a task of its own above. */
function clausesIn({ occasion: { clauses } }: Briefing, { data }: Fences): string[] {
  if (clauses.length === 0) return [];
  const lines = clauses.map(({ text }, index) => JSON.stringify({ clause: index + 1, asked: text }));
  return [data("what is asked, one clause a line", within(lines, promptLimits.task, "clauses"))];
}

function revisionOf({ occasion: { revision, wishes } }: Briefing, { data }: Fences): string[] {
  if (!revision) return [];
  const { analysis, keyFindings, actions } = revision;
  // The built-in planner's texts about findings quote cell values.
  const quotesValues = actions.some((action) => "sql" in action && findingIn(action.sql) !== null);
  const lines = [
    ...(quotesValues
      ? []
      : [
          JSON.stringify({
            analysis: clipped(analysis, 2000),
            keyFindings: keyFindings.slice(0, 7).map((each) => clipped(each, 300)),
          }),
        ]),
    ...actions.map((action, index) =>
      JSON.stringify({
        ...promptAction(action),
        ...(wishes?.leaveOut?.includes(index) ? { leaveOut: true } : {}),
      }),
    ),
  ];
  return [
    data("the plan that was sent back, one action a line", within(lines, promptLimits.revision, "actions")),
  ];
}

function repairOf({ proposal, faults }: Repair, known: ReadonlySet<string>, { data }: Fences): string {
  const failed = new Map(faults.map(({ index, errors }) => [index, errors]));
  const lines = proposal.actions.map((action, index) => {
    const sql = "sql" in action ? action.sql : "";
    const errors = failed
      .get(index)
      ?.map((error) => clipped(withoutValues(error, sql, known), promptLimits.error));
    return JSON.stringify({ index, ...(errors ? { errors } : {}), action: promptAction(action) });
  });
  const intro =
    "You have just proposed the following, and what has errors was refused. Propose the whole again: what had none as it was, the rest corrected, or left out where it cannot be right.";
  return `${intro}\n${data("your proposal, one action a line", within(lines, promptLimits.repair, "actions"))}`;
}

function promptAction(action: ProposedAction): ProposedAction {
  if (!("sql" in action)) return action;
  if (findingIn(action.sql) === null) return { ...action, sql: clipped(action.sql, promptLimits.sql) };
  const told = { ...action, reasoning: "It looks wrong today.", sql: promptSql(action.sql) };
  return told.kind === "CreateQuery" ? { ...told, description: "Returns the rows that look wrong." } : told;
}

/** A query for findings contains values from the data: only its first line is included, which says what it is about. */
function promptSql(sql: string): string {
  if (findingIn(sql) === null) return clipped(sql, promptLimits.sql);
  return clipped(`${sql.split("\n", 1)[0]}\n-- The rest names values and is not shown.`, promptLimits.sql);
}

/** The location and row counts; the sentences that people read quote values. */
function findingsIn({ findings }: Briefing, maxLength: number, { data }: Fences): string | null {
  if (findings.items.length === 0) return null;
  const lines = findings.items.map(({ schemaName, tableName, kind, columns, ...finding }) =>
    JSON.stringify({
      table: `${schemaName}.${tableName}`,
      looksWrong: kind,
      columns: columns.map((name) => clipped(name, promptLimits.comment)),
      // Missing rows cannot be counted.
      ...(finding.failingRows > 0 ? { rows: finding.failingRows } : {}),
      ofRows: finding.totalRows,
      confidence: Number(finding.confidence.toFixed(2)),
    }),
  );
  return data(
    "what looks wrong in the data today, worst first, one a line",
    within(lines, maxLength, "findings"),
  );
}

function queriesIn(
  { queries, occasion }: Briefing,
  known: ReadonlySet<string>,
  maxLength: number,
  { data }: Fences,
): string | null {
  if (queries.length === 0) return null;
  const finished = new Set(occasion.finishedExecutionIds);
  const lines = queries.map((query) => JSON.stringify(promptQuery(query, finished, known)));
  return data("your queries, one a line", within(lines, maxLength, "queries"));
}

function promptQuery(query: BriefedQuery, finished: ReadonlySet<number>, known: ReadonlySet<string>) {
  const { id, name, sql, subscriptions } = query;
  const description = findingIn(sql) === null ? query.description : null;
  return {
    queryId: id,
    name,
    ...(description ? { description: clipped(description, promptLimits.comment) } : {}),
    sql: promptSql(sql),
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
          ? { error: clipped(withoutValues(execution.errorMessage, sql, known), promptLimits.error) }
          : {}),
        ...(finished.has(execution.id) ? { isNew: true } : {}),
      })),
    })),
  };
}

function pendingIn({ pendingActions }: Briefing, maxLength: number, { data }: Fences): string | null {
  if (pendingActions.length === 0) return null;
  const lines = pendingActions.map((action) => JSON.stringify(promptAction(action)));
  return data(
    "what you have proposed and nobody has decided, one action a line",
    within(lines, maxLength, "actions"),
  );
}

/** The latest messages matter most, so the oldest are omitted. */
function conversationIn({ conversation }: Briefing, maxLength: number, { data }: Fences): string | null {
  if (conversation.length === 0) return null;
  const lines = conversation.map(({ role, text }) =>
    JSON.stringify({ from: role === "Person" ? "person" : "you", text: clipped(text, promptLimits.message) }),
  );
  return data(
    "the conversation, oldest first",
    within(lines.reverse(), maxLength, "earlier messages").reverse(),
  );
}

function tablesIn(briefing: Briefing, room: number, { data }: Fences): string {
  const { actor, occasion, queries, tables, omittedTables: omitted } = briefing;
  if (tables.length === 0) return "The data source has no tables that you may read.";
  const said = [
    actor.instructions,
    actor.additionalContext ?? "",
    occasion.instruction ?? "",
    occasion.revision?.feedback ?? "",
    ...[...(actor.wishes?.tables ?? []), ...(occasion.wishes?.tables ?? [])].map(choiceLabel),
    ...queries.map(({ sql }) => sql),
  ];
  const legend =
    "Tables, one a line. counts: rows that were read (all of the table, or some of it), and for each column how many were NULL, how many values were different, and for times the age of the newest one.";
  return `${legend}\n${data("tables", tableLines(tables, { said, omitted, room }))}`;
}
