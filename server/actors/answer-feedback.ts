import { isDeepStrictEqual } from "node:util";
import { namedIn } from "../data-sources/named-in.ts";
import { plural } from "../text.ts";
import type { Briefing } from "./briefing.ts";
import type { Choice, Clause, FeedbackAnswer } from "./feedback.ts";
import { columnsOf } from "./planner/check.ts";
import { checkKindOf } from "./planner/choose-faults.ts";
import { checkIn } from "./planner/written-check.ts";
import { findingIn } from "./planner/written-finding.ts";
import type { Proposal, ProposedAction } from "./proposal.ts";
import type { WishedCheck } from "./wished-checks.ts";
import type { Exclusion } from "./wishes.ts";

type Facts = Pick<Briefing, "occasion" | "queries" | "tables" | "pendingActions">;
type Verdict = { isDone: boolean; because?: string };

/**
 * Answers each clause of what a person asked for. What a proposal can be checked for is checked, whatever the model
 * says of it: that an action is gone, what queries read, when they run, how many there are. For the rest the model's
 * word counts, and a clause that it does not mention is not done.
 */
export function answerFeedback(proposal: Proposal, briefing: Facts): FeedbackAnswer[] {
  return briefing.occasion.clauses.map(({ text, choice }, index) => {
    const given = proposal.answers.find(({ clause }) => clause === index + 1);
    const { isDone, because } = verdictOn({ choice }, given, proposal, briefing);
    return { asked: text, isDone, because: isDone ? null : because };
  });
}

function verdictOn(
  { choice }: Pick<Clause, "choice">,
  given: Proposal["answers"][number] | undefined,
  proposal: Proposal,
  briefing: Facts,
): { isDone: boolean; because: string } {
  const because = (given?.done === false && given.because && asClause(given.because)) || null;
  const checked = choice && check(choice, planOf(proposal, briefing));
  if (checked) return { isDone: checked.isDone, because: because ?? checked.because ?? "the plan lacks it" };
  return { isDone: given?.done === true, because: because ?? "the actor did not answer it" };
}

/** A model writes a sentence; shown is "not done, because …", which ends by itself. */
const asClause = (because: string) =>
  because
    .trim()
    .replace(/^because\s+/i, "")
    .replace(/^(The|A|An|It|They|There|This|No|Nothing)\b/, (word) => word.toLowerCase())
    .replace(/\.+$/, "");

type Plan = ReturnType<typeof planOf>;

/** What the proposal leads to. A revision is judged by itself, a request also by the actor's existing queries. */
function planOf(proposal: Proposal, { occasion, queries, tables, pendingActions }: Facts) {
  // Without actions, a request leaves the pending plan as it is.
  const actions = proposal.actions.length === 0 && !occasion.revision ? pendingActions : proposal.actions;
  const isGone = (id: number) =>
    actions.some((action) => action.kind === "ArchiveQuery" && action.queryId === id);
  const refined = new Map(
    actions.flatMap((action) => (action.kind === "RefineQuery" ? [[action.queryId, action.sql]] : [])),
  );
  const created = actions.flatMap((action) =>
    action.kind === "CreateQuery" ? [{ name: action.name.trim(), sql: action.sql }] : [],
  );
  const existing = queries
    .filter(({ id }) => !isGone(id))
    .map((query) => ({ ...query, sql: refined.get(query.id) ?? query.sql }));
  return {
    actions,
    former: occasion.revision?.actions ?? [],
    isRevision: occasion.revision !== null,
    tables,
    created,
    existing,
    /** All queries that there are once the proposal has run. */
    queries: [...created, ...existing],
  };
}

/** null for what only the model can tell: the type of a check that it wrote itself. */
function check(choice: Choice, plan: Plan): Verdict | null {
  switch (choice.kind) {
    case "LeaveOut":
      return leftOut(choice.index, plan);
    case "Table": {
      const reads = plan.queries.some(({ sql }) => isAbout(sql, choice.table, plan));
      return { isDone: reads, because: "no query of the plan reads it" };
    }
    case "Exclude":
      return excluded(choice.exclusion, plan);
    case "Check":
      return checked(choice.check, plan);
    case "Schedule":
      return scheduled(choice, plan);
    case "MaxChecks":
      return {
        isDone: plan.created.length <= choice.maxChecks,
        because: `the plan creates ${plural(plan.created.length, "query", "queries")}`,
      };
  }
}

function leftOut(index: number, { former, actions }: Plan): Verdict {
  const action = former[index];
  return {
    isDone: !action || !actions.some((each) => isSame(each, action)),
    because: "the plan still contains it",
  };
}

/** Whether both do the same, in whatever words they give their reasons. */
function isSame(one: ProposedAction, other: ProposedAction): boolean {
  switch (one.kind) {
    case "CreateQuery":
      return (
        other.kind === one.kind &&
        (other.name.trim() === one.name.trim() || other.sql.trim() === one.sql.trim())
      );
    case "CreateSubscription":
      return (
        other.kind === one.kind &&
        (other.queryName?.trim() ?? null) === (one.queryName?.trim() ?? null) &&
        other.queryId === one.queryId &&
        other.cronExpression === one.cronExpression &&
        other.timezone === one.timezone
      );
    case "RefineQuery":
      return other.kind === one.kind && other.queryId === one.queryId && other.sql === one.sql;
    case "ArchiveQuery":
      return other.kind === one.kind && other.queryId === one.queryId;
    case "ArchiveSubscription":
      return other.kind === one.kind && other.subscriptionId === one.subscriptionId;
    case "SendNotification":
      return other.kind === one.kind && other.subject === one.subject && other.body === one.body;
    case "CreateContract":
    case "AddRules":
      return isDeepStrictEqual({ ...other, reasoning: "" }, { ...one, reasoning: "" });
  }
}

/** A plan that is sent back says nothing about what exists already. */
function excluded(exclusion: Exclusion, plan: Plan): Verdict {
  const among = plan.isRevision ? plan.created : plan.queries;
  const reading = among.filter(({ sql }) => isAbout(sql, exclusion, plan));
  const [first] = reading;
  return {
    isDone: reading.length === 0,
    because: `${first ? `“${first.name}”` : "a query"} ${reading.length > 1 ? `and ${reading.length - 1} more still read` : "still reads"} it`,
  };
}

/**
 * Whether SQL is about a table or column: for the planner's own by what it says it looks for, else by the names in it.
 * A name that several schemas have counts only with its schema.
 */
function isAbout(
  sql: string,
  { schemaName, tableName, columnName }: Exclusion,
  { tables }: Pick<Plan, "tables">,
): boolean {
  const isTable = (table: { schemaName: string; tableName: string }) =>
    table.schemaName === schemaName && (!tableName || table.tableName === tableName);
  const own = checkIn(sql);
  if (own) return isTable(own) && (!columnName || columnsOf(own).includes(columnName));
  const finding = findingIn(sql);
  if (finding)
    return (
      isTable(finding) && (!columnName || finding.parts.some(({ columns }) => columns.includes(columnName)))
    );
  const isNamed = namedIn([sql]);
  const isUnique = (name: string) =>
    tables.filter((table) => table.tableName.toLowerCase() === name.toLowerCase()).length <= 1;
  return tables.some(
    (table) =>
      isTable(table) &&
      isNamed(table.tableName) &&
      (isUnique(table.tableName) || isNamed(schemaName)) &&
      (!columnName || isNamed(columnName)),
  );
}

function checked(wanted: WishedCheck, { queries }: Plan): Verdict | null {
  const kinds = queries.map(({ sql }) => kindsOf(sql));
  if (kinds.some((each) => each?.includes(wanted))) return { isDone: true };
  return kinds.includes(null) ? null : { isDone: false, because: "no query of the plan is such a check" };
}

/** null for SQL that the planner did not write. */
function kindsOf(sql: string): WishedCheck[] | null {
  const own = checkIn(sql);
  if (own) return [own.kind];
  return findingIn(sql)?.parts.flatMap(({ kind }) => checkKindOf(kind) ?? []) ?? null;
}

/** Everything that the proposal schedules runs at that time; a request may also find all as it should be. */
function scheduled(
  { cronExpression, timezone }: { cronExpression: string; timezone: string },
  { actions, existing, isRevision }: Plan,
): Verdict {
  const proposed = actions.flatMap((action) => (action.kind === "CreateSubscription" ? [action] : []));
  const running =
    isRevision || proposed.length > 0 ? [] : existing.flatMap(({ subscriptions }) => subscriptions);
  const all = [...proposed, ...running];
  const others = all.filter((each) => each.cronExpression !== cronExpression || each.timezone !== timezone);
  if (all.length === 0) return { isDone: false, because: "nothing in the plan runs on a schedule" };
  return {
    isDone: others.length === 0,
    because: `${plural(others.length, "subscription")} ${others.length === 1 ? "runs" : "run"} at another time`,
  };
}
