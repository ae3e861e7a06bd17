import type { BriefedQuery, BriefedTable, Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { type Fences, newFences } from "./fences.ts";
import { instructionsFor } from "./instructions.ts";
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
  columns: 150,
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
  const known = namesIn(briefing);
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

function tablesIn(briefing: Briefing, most: number, { data }: Fences): string {
  const tables = byRelevance(briefing);
  if (tables.length === 0) return "The data source has no tables that you may read.";
  const lines = tables.map((table) => JSON.stringify(toldTable(table)));
  const omitted = briefing.omittedTables;
  // Of tables that do not fit, the names alone are told as far as that goes.
  const whole = fitting(
    lines,
    lines.reduce((sum, { length }) => sum + length + 1, 0) <= most ? most : most * 0.85,
  );
  const others = tables.slice(whole.length).map(({ schemaName, tableName }) => `${schemaName}.${tableName}`);
  const named = fitting(
    others.map((name) => JSON.stringify(name)),
    most * 0.12,
  );
  const unnamed = others.length - named.length + omitted;
  const notes = [
    ...(named.length > 0
      ? [JSON.stringify(`There are also these, without room for their columns: ${named.join(", ")}`)]
      : []),
    ...(unnamed > 0 ? [JSON.stringify(`${unnamed} further tables are left out here`)] : []),
  ];
  const legend =
    "Tables, one a line. counts: rows that were read (all of the table, or some of it), and for each column how many were NULL, how many values were different, and for times the age of the newest one.";
  return `${legend}\n${data("tables", [...whole, ...notes])}`;
}

/** Tables that somebody speaks of come first, else they keep their order. */
function byRelevance({ actor, occasion, queries, tables }: Briefing): BriefedTable[] {
  const said = [
    actor.instructions,
    actor.additionalContext ?? "",
    occasion.instruction ?? "",
    occasion.revision?.feedback ?? "",
    ...queries.map(({ sql }) => sql),
  ];
  const words = new Set(
    said
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu),
  );
  const isNamed = ({ tableName }: BriefedTable) => words.has(tableName.toLowerCase());
  return [...tables.filter(isNamed), ...tables.filter((table) => !isNamed(table))];
}

function toldTable({ schemaName, tableName, kind, rowEstimate, comment, columns, profile }: BriefedTable) {
  const profiled = new Map(profile?.columns.map((column) => [column.name, column]));
  const told = columns.slice(0, mostOfPrompt.columns).map((column) => {
    const counts = profiled.get(column.name);
    const { references } = column;
    return {
      name: column.name,
      type: column.type,
      ...(column.isPrimaryKey ? { primaryKey: true } : {}),
      ...(column.nullable ? {} : { notNull: true }),
      ...(references
        ? { references: `${references.schemaName}.${references.tableName}.${references.columnName}` }
        : {}),
      ...(column.comment ? { comment: clipped(column.comment, mostOfPrompt.comment) } : {}),
      ...(profile && counts && profile.rows > 0
        ? {
            nulls: profile.rows - counts.values,
            ...(counts.different === null ? {} : { different: counts.different }),
            ...(counts.ageSeconds === null ? {} : { newestIsOld: ageOf(counts.ageSeconds) }),
          }
        : {}),
    };
  });
  const left = columns.length - told.length;
  return {
    table: `${schemaName}.${tableName}`,
    ...(kind === "View" ? { kind } : {}),
    ...(comment ? { comment: clipped(comment, mostOfPrompt.comment) } : {}),
    ...(rowEstimate === null ? {} : { estimatedRows: rowEstimate }),
    ...(profile ? { counts: { rows: profile.rows, ofAllRows: profile.isWhole } } : {}),
    columns: told,
    ...(left > 0 ? { columnsLeftOut: left } : {}),
  };
}

/** In a unit that is easy to choose limits by; a newest time may lie in the future. */
function ageOf(seconds: number): string {
  const units = [
    { unit: "days", of: 86_400 },
    { unit: "hours", of: 3600 },
    { unit: "minutes", of: 60 },
  ];
  const { unit, of } = units.find(({ of }) => Math.abs(seconds) >= 2 * of) ?? { unit: "seconds", of: 1 };
  return `${Math.round(seconds / of)} ${unit}`;
}

function namesIn({ tables }: Briefing): Set<string> {
  return new Set(
    tables.flatMap(({ schemaName, tableName, columns }) =>
      [schemaName, tableName, ...columns.map(({ name }) => name)].map((name) => name.toLowerCase()),
    ),
  );
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()} […${text.length - most} more characters are left out]`;
}

/** The first lines that fit, whole. */
function fitting(lines: readonly string[], most: number): string[] {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > most;
  });
  return lines.slice(0, end < 0 ? lines.length : end);
}

function within(lines: readonly string[], most: number, what: string): string[] {
  const kept = fitting(lines, most);
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, JSON.stringify(`${left} ${what} are left out here, for want of room`)];
}
