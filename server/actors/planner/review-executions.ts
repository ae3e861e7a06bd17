import { successfulStatuses } from "../../subscriptions/kinds.ts";
import { listed, plural } from "../../text.ts";
import type { BriefedQuery, Briefing } from "../briefing.ts";
import type { Proposal, ProposedAction, severities } from "../proposal.ts";
import type { Wishes } from "../wishes.ts";
import { adapted, tablesOf, widened } from "./adapt-check.ts";
import { type Check, type CheckKind, identityOf, keyOf, type Table } from "./check.ts";
import { sqlOf } from "./check-sql.ts";
import { chooseChecks } from "./choose-checks.ts";
import { actionsOf, countsOf, draftOf, NameBook } from "./draft.ts";
import { duration, escaped, plain } from "./plain-text.ts";
import { rankTables } from "./rank-tables.ts";
import { findTable } from "./table-facts.ts";
import { checksOf, namesOf } from "./what-exists.ts";
import { wishesOf } from "./wishes.ts";
import { checkIn } from "./written-check.ts";

type Execution = BriefedQuery["subscriptions"][number]["executions"][number];
type Severity = (typeof severities)[number];

/** This many in a row are not a coincidence. */
const failuresInARow = 3;
const reportsInARow = 10;

const severityOf: Record<CheckKind, Severity> = {
  Freshness: "High",
  Volume: "High",
  NullRate: "Medium",
  Uniqueness: "Medium",
  Referential: "Medium",
};

/** What the executions of one query mean, and what follows. */
type Review = {
  query: BriefedQuery;
  outcome: string;
  isAsExpected: boolean;
  findings: string[];
  /** It reports every time, and a wider bound would not help. */
  isUnending: boolean;
  actions: ProposedAction[];
  alarm: { severity: Severity; text: string } | null;
};

/**
 * Reviews what its queries have found lately: which report for the first time, which always do, and which fail and why.
 * Changes those that lost their tables or have too tight a bound, and watches new tables. Proposes nothing while a plan
 * is pending, because a new plan would replace it.
 */
export function reviewExecutions(briefing: Briefing): Proposal {
  const wishes = wishesOf(briefing);
  const reviews = briefing.queries.map((query) => reviewOf(query, briefing, wishes));
  const found = [...reviews.flatMap(({ actions }) => actions), ...newChecks(briefing, wishes, reviews)];
  const isWaiting = briefing.pendingActions.length > 0;
  const actions = isWaiting ? [] : found;
  const alarms = reviews.flatMap(({ alarm }) => alarm ?? []);
  const count = executionCount(briefing);
  const others = reviews.filter(({ isAsExpected }) => !isAsExpected);
  const then = actions.length > 0 ? ` ${sentence(countsOf(actions))}.` : "";
  return {
    summary: `${plural(count, "execution")}, ${others.length === 0 ? "all as expected" : `${others.length} of ${plural(reviews.length, "query", "queries")} worth a look`}.${then}`,
    analysis: analysisOf(reviews, actions, isWaiting && found.length > 0, briefing),
    keyFindings: reviews.flatMap(({ findings }) => findings),
    actions,
    answers: [],
    notification: notificationOf(alarms),
  };
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function executionCount({ occasion, queries }: Briefing): number {
  if (occasion.finishedExecutionIds.length > 0) return occasion.finishedExecutionIds.length;
  return queries.reduce(
    (sum, { subscriptions }) =>
      sum + subscriptions.reduce((all, { executions }) => all + executions.length, 0),
    0,
  );
}

function reviewOf(query: BriefedQuery, briefing: Briefing, wishes: Wishes): Review {
  const check = checkIn(query.sql);
  const name = `“${plain(query.name, 100)}”`;
  const review: Review = {
    ...{ query, outcome: "has not run yet", isAsExpected: true, isUnending: false },
    ...{ findings: [], actions: [], alarm: null },
  };
  for (const { executions: all } of query.subscriptions) {
    const executions = all.filter(({ status }) => status !== "Created");
    const [latest] = executions;
    if (!latest) continue;
    const failures = countWhile(executions, hasFailed);
    if (failures > 0) {
      const reason = plain(latest.errorMessage ?? "no reason was given", 200);
      const times =
        failures === 1 ? "" : failures >= executions.length ? " every time" : ` ${failures} times in a row`;
      review.outcome = `failed${times}: ${reason}`;
      review.isAsExpected = false;
      review.findings.push(`${name} failed${times}: ${reason}`);
      if (failures >= failuresInARow && review.actions.length === 0)
        review.actions.push(...afterFailures(query, check, latest, briefing));
      continue;
    }
    const rows = latest.rowCount ?? 0;
    if (rows === 0) {
      review.outcome = review.isAsExpected ? "found nothing, as expected" : review.outcome;
      continue;
    }
    review.isAsExpected = false;
    review.outcome = `found ${plural(rows, "row")}`;
    if (countWhile(executions, hasFound) >= reportsInARow) {
      review.findings.push(
        `${name} has found rows in each of its last ${reportsInARow} executions, ${plural(rows, "row")} the last time.`,
      );
      if (review.actions.length === 0) review.actions.push(...afterReports(query, check, briefing, wishes));
      review.isUnending = review.actions.length === 0;
    } else if (isNews(executions, briefing)) {
      const before = executions.slice(1).some(hasFound) ? "again" : "for the first time";
      const text = `${name} found ${plural(rows, "row")} ${before}.`;
      review.findings.push(text);
      const severity = check ? severityOf[check.kind] : "Medium";
      if (severity === "High") review.alarm = { severity, text: alarmText(text, check, briefing) };
    }
  }
  return review;
}

function countWhile(executions: readonly Execution[], is: (execution: Execution) => boolean): number {
  const end = executions.findIndex((execution) => !is(execution));
  return end < 0 ? executions.length : end;
}

const hasFailed = ({ status }: Execution) => status === "Failed" || status === "Timeout";
const succeeded: readonly string[] = [...successfulStatuses, "BelowThreshold"];
const hasFound = ({ status, rowCount }: Execution) => succeeded.includes(status) && (rowCount ?? 0) > 0;

/** The latest execution is one that it thinks about, and the previous one found nothing or does not exist. */
function isNews([latest, before]: readonly Execution[], { occasion }: Briefing): boolean {
  const isNew = latest !== undefined && occasion.finishedExecutionIds.includes(latest.id);
  return isNew && (before === undefined || !hasFound(before));
}

function alarmText(text: string, check: Check | null, briefing: Briefing): string {
  const table = check && findTable(briefing.tables, check);
  const newest =
    check?.kind === "Freshness" && table?.profile?.columns.find(({ name }) => name === check.column);
  return newest && newest.ageSeconds !== null && newest.ageSeconds > 0
    ? `${text} The newest row is ${duration(newest.ageSeconds / 60)} old.`
    : text;
}

const isGoneMessage =
  /does not exist|doesn'?t exist|unknown (column|table)|invalid (object|column) name|no such (table|column)/i;

function afterFailures(
  { id, name, sql }: BriefedQuery,
  check: Check | null,
  { errorMessage }: Execution,
  { tables, omittedTables, dataSource }: Briefing,
): ProposedAction[] {
  if (!check || !isGoneMessage.test(errorMessage ?? "")) return [];
  const missing = tablesOf(check).filter((table) => !findTable(tables, table));
  // It may still exist among tables that are not shown.
  if (missing.length > 0 && omittedTables > 0) return [];
  const now = adapted(check, tables);
  if (now === null) {
    const gone = missing.map(({ schemaName, tableName }) => plain(`${schemaName}.${tableName}`, 120));
    const reason =
      gone.length > 0
        ? `${listed(gone)} ${gone.length === 1 ? "is" : "are"} no longer in the data source`
        : `what it looks at is no longer in ${plain(`${check.schemaName}.${check.tableName}`, 120)}`;
    return [
      {
        kind: "ArchiveQuery",
        reasoning: `“${plain(name, 100)}” has failed ${failuresInARow} times or more in a row, and ${reason}.`,
        queryId: id,
      },
    ];
  }
  // Nothing is missing after all, or people have changed the query and must fix it themselves.
  if (now === check || sqlOf(check, dataSource.dialect) !== sql.trim()) return [];
  const lost = columnsLost(check, now);
  return [
    {
      kind: "RefineQuery",
      reasoning: `${listed(lost.map((column) => plain(column)))} ${lost.length === 1 ? "is" : "are"} no longer in the table, and the query has failed ${failuresInARow} times or more in a row. The rest of it stays.`,
      queryId: id,
      sql: sqlOf(now, dataSource.dialect),
    },
  ];
}

function columnsLost(check: Check, now: Check): string[] {
  const all = (each: Check) => [
    ...("columns" in each ? each.columns : []),
    ...("shownWith" in each ? each.shownWith : []),
  ];
  const left = all(now);
  return [...new Set(all(check).filter((column) => !left.includes(column)))];
}

/** A bound is widened once: after that, people must decide what is normal. */
function afterReports(
  { id, sql, activeVersion }: BriefedQuery,
  check: Check | null,
  briefing: Briefing,
  wishes: Wishes,
): ProposedAction[] {
  const { dialect } = briefing.dataSource;
  if (!check || activeVersion > 1 || sqlOf(check, dialect) !== sql.trim()) return [];
  const now = widened(check, briefing, wishes);
  if (!now) return [];
  const bounds = (each: Check) =>
    each.kind === "Volume"
      ? plural(each.minRows, "row")
      : each.kind === "Freshness"
        ? duration(each.maxAgeMinutes)
        : "";
  return [
    {
      kind: "RefineQuery",
      reasoning: `It has found something in each of its last ${reportsInARow} executions. By what is usual today, its bound is ${bounds(now)} instead of ${bounds(check)}.`,
      queryId: id,
      sql: sqlOf(now, dialect),
    },
  ];
}

/** For new tables; if a person started the cycle, also for tables that are not watched. */
function newChecks(briefing: Briefing, wishes: Wishes, reviews: readonly Review[]): ProposedAction[] {
  const checks = checksOf(briefing);
  const watched = new Set(checks.map(keyOf));
  const isByHand = briefing.occasion.finishedExecutionIds.length === 0;
  const isNew = (table: Table) => !watched.has(keyOf(table)) && (isByHand || table.isNew === true);
  const { ranked } = rankTables(briefing, wishes);
  const archived = reviews
    .flatMap(({ actions }) => actions)
    .filter(({ kind }) => kind === "ArchiveQuery").length;
  const { chosen } = chooseChecks({ ranked: ranked.filter(({ table }) => isNew(table)) }, briefing, wishes, {
    room: briefing.limits.queriesLeft + archived,
    existing: new Set(checks.map(identityOf)),
  });
  const names = new NameBook(namesOf(briefing));
  return chosen.map((candidate) => draftOf(candidate, briefing, wishes, names)).flatMap(actionsOf);
}

function analysisOf(
  reviews: readonly Review[],
  actions: readonly ProposedAction[],
  isHeldBack: boolean,
  briefing: Briefing,
): string {
  const ran = reviews.map(
    ({ query, outcome }) => `- **${escaped(query.name, 100)}**: ${escaped(outcome, 400)}`,
  );
  const follows = actions.flatMap((action) =>
    action.kind === "CreateSubscription"
      ? []
      : [`- ${sayAction(action, briefing)} ${escaped(action.reasoning, 600)}`],
  );
  const advice = reviews.some(({ isUnending }) => isUnending)
    ? "\n\nWhere a check reports every time, fix the rows, or archive the query if nobody needs the check."
    : "";
  const waiting = isHeldBack
    ? "\n\nMore would be proposed, but a plan waits for a decision, and a new one would take its place."
    : "";
  const what = ran.length === 0 ? "It has no queries yet." : ran.join("\n");
  const next = follows.length === 0 ? "Nothing is to be changed." : follows.join("\n");
  return `### What ran\n\n${what}${advice}\n\n### What follows\n\n${next}${waiting}`;
}

function sayAction(action: ProposedAction, { queries }: Briefing): string {
  const name = "queryId" in action ? queries.find(({ id }) => id === action.queryId)?.name : undefined;
  switch (action.kind) {
    case "CreateQuery":
      return `**New: ${escaped(action.name, 200)}.** ${escaped(action.description, 300)}`;
    case "RefineQuery":
      return `**Changed: ${escaped(name ?? "", 200)}.**`;
    case "ArchiveQuery":
      return `**Archived: ${escaped(name ?? "", 200)}.**`;
    default:
      return "";
  }
}

function notificationOf(alarms: readonly { severity: Severity; text: string }[]): Proposal["notification"] {
  const [first, ...more] = alarms;
  if (!first) return null;
  return {
    subject: more.length === 0 ? first.text.replace(/\.$/, "") : `${alarms.length} checks found something`,
    body: alarms.map(({ text }) => text).join("\n"),
    severity: first.severity,
  };
}
