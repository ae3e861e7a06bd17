import { setTimeout as delay } from "node:timers/promises";
import { and, eq, getTableName, inArray, isNull, ne, sql } from "drizzle-orm";
import { dataSources } from "../../data-sources/tables.ts";
import { rejectInTransaction } from "../../db/ambient.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { inParts } from "../../db/in-parts.ts";
import { commonOrigin, familyOf, loadEdges, withLineage } from "../../lineage/service/walk.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import { ifJobAfterRequests } from "../../requests-first.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import {
  type CurrentIncident,
  CurrentIncidents,
  incidentFor,
  keyOf,
  type Placed,
  type Surroundings,
} from "../grouping.ts";
import { titleOf } from "../in-words.ts";
import type { Severity } from "../kinds.ts";
import { type IncidentEventKind, type ProblemKind, type Subject, subjects } from "../schema.ts";
import { severityOf, worstOf } from "../severity.ts";
import { incidentEvents, incidentProblems, incidentSeverity, incidents, problemKind } from "../tables.ts";
import { contractsNow, subscriptionsNow, tablesNow } from "./checks-now.ts";
import { describeProblems, endOf, loadLinks } from "./describe-problems.ts";

/**
 * Brings incidents to what subscriptions, contracts, and watched tables say now: new problems join an incident or open one, what is over
 * ends, and an incident without a current problem is resolved. It compares states, so it may run at any time, twice,
 * or late, and a process that dies in it loses nothing.
 *
 * Usually nothing has changed, and that costs one statement. Calls that come meanwhile share the next run, so that one
 * connection of a process waits for another process, rather than all.
 */
export function noticeIncidents(): Promise<void> {
  rejectInTransaction("What is shared with others");
  return noticeTogether();
}

const noticeTogether = oneAtATime(async () => {
  if ((await differences(db, 1)).length === 0) return;
  while (await noticeSome()) await ifJobAfterRequests();
});

/** The longest that a page waits for what is new: a hundred thousand new problems take a minute. */
const patienceMs = 2_000;

/** From so many subscriptions on, comparing all of them takes longer than a page: then only the job of the minute does. */
export const limits = { compared: 20_000 };

/** As PostgreSQL estimates it. */
async function areTooMany(): Promise<boolean> {
  const [estimated] = await db.execute<{ subscriptions: number }>(
    sql`select reltuples::float8 as subscriptions from pg_class where oid = ${getTableName(subscriptions)}::regclass`,
  );
  return (estimated?.subscriptions ?? 0) >= limits.compared;
}

/** For who reads incidents: with what is new, if that is noticed soon, and otherwise with what is stored. */
export async function noticeSoon(): Promise<void> {
  if (await areTooMany()) return;
  const noticed = noticeIncidents();
  const timer = new AbortController();
  try {
    await Promise.race([noticed, delay(patienceMs, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
    // It goes on, and the next call says if it fails.
    noticed.catch(() => {});
  }
}

/** The number of differences per transaction: nobody waits long for its lock, and what is done stays done. */
const most = 2_000;

/** Returns whether there may be more. */
async function noticeSome(): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('incidents', 0))`);
    const found = await differences(tx, most);
    const changed = new Set<number>();
    for (const each of await endProblems(tx, found)) changed.add(each);
    for (const each of await updateProblems(tx, found)) changed.add(each);
    for (const each of await beginProblems(tx, found)) changed.add(each);
    await refreshIncidents(tx, [...changed]);
    return found.length === most && changed.size > 0;
  });
}

type Difference = {
  subject: Subject;
  subject_id: number;
  project_id: number | null;
  kind: ProblemKind | null;
  severity: Severity | null;
  at: string | null;
  /** The current problem of this subject, if it has one. */
  problem_id: number | null;
  incident_id: number | null;
  former_kind: ProblemKind | null;
};

/** Where stored problems differ from what is wrong now: first what is over, then the others in the order of time. */
async function differences(connection: Connection, limit: number): Promise<Difference[]> {
  const rows = await connection.execute<Difference>(sql`
    with ${subscriptionsNow(sql`true`)}, ${contractsNow(sql`true`)}, ${tablesNow(sql`true`)},
    wrong (subject, subject_id, project_id, kind, severity, at) as (
      select 'Subscription', id, project_id, problem, case problem when 'Unusual' then severity end, at
      from subscription_now where problem is not null
      union all
      select 'Contract', id, project_id, problem, null, at from contract_now where problem is not null
      union all
      select 'Table', id, project_id, problem, severity, at from table_now
    ),
    stored as (
      select id, incident_id, kind::text, last_seen_at, 
        case when contract_id is not null then 'Contract' when table_id is not null then 'Table' else 'Subscription' end as subject,
        coalesce(contract_id, table_id, subscription_id) as subject_id
      from ${incidentProblems} where ended_at is null
    )
    select coalesce(wrong.subject, stored.subject) as subject, coalesce(wrong.subject_id, stored.subject_id) as subject_id,
      wrong.project_id, wrong.kind, wrong.severity, wrong.at, stored.id as problem_id, stored.incident_id, stored.kind as former_kind
    from wrong full join stored on stored.subject = wrong.subject and stored.subject_id = wrong.subject_id
    where stored.id is null or wrong.kind is null or wrong.kind <> stored.kind
      or date_trunc('milliseconds', wrong.at) > stored.last_seen_at
    order by wrong.kind is not null, wrong.at, subject, subject_id limit ${limit}`);
  return [...rows];
}

/** More rows in one statement are no quicker. */
const maxRows = 1000;

async function endProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const over = found.filter(({ kind, problem_id }) => kind === null && problem_id !== null);
  const endings: { id: number; ended: string }[] = [];
  for (const subject of subjects) {
    const own = over.filter((each) => each.subject === subject);
    const ends = await endOf(
      tx,
      subject,
      own.map(({ subject_id }) => subject_id),
    );
    for (const { subject_id, problem_id } of own)
      endings.push({ id: problem_id ?? 0, ended: ends.get(subject_id) ?? "gone" });
  }
  const changed: number[] = [];
  const events: Recorded[] = [];
  for (const rows of inParts(endings, maxRows)) {
    const ended = await tx.execute<{ incident_id: number; name: string; ended: string }>(sql`
      update ${incidentProblems} set ended_at = clock_timestamp(), ended = given.ended
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id int, ended text)
      where ${incidentProblems.id} = given.id
      returning ${incidentProblems.incidentId}, ${incidentProblems.name}, given.ended`);
    for (const { incident_id: incidentId, name, ended: how } of ended) {
      changed.push(incidentId);
      events.push({
        ...{ incidentId, kind: "Ended" },
        text: `${name} ${how === "recovered" ? how : `was ${how}`}`,
      });
    }
  }
  await recordAll(tx, events);
  return changed;
}

/** The same problem, seen again or in another way. */
async function updateProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const seen = found.flatMap(({ problem_id: id, incident_id: incidentId, kind, at, ...each }) =>
    id === null || incidentId === null || kind === null || at === null
      ? []
      : [{ ...each, ...{ id, incidentId, kind, at }, subjectId: each.subject_id }],
  );
  const describedBy = await describeProblems(tx, seen);
  const events: Recorded[] = [];
  const rows: object[] = [];
  for (const each of seen) {
    const { id, kind, at, severity, incidentId, former_kind } = each;
    const { name, reason } = describedBy(each);
    rows.push({ id, kind, at, name, reason, severity: severity ?? severityOf[kind] });
    if (kind !== former_kind) events.push({ incidentId, kind: "Changed", text: `${name}: ${reason}` });
  }
  for (const some of inParts(rows, maxRows))
    await tx.execute(sql`
      update ${incidentProblems} as problem set kind = given.kind::${sql.raw(problemKind.enumName)},
        severity = given.severity::${sql.raw(incidentSeverity.enumName)}, name = given.name, reason = given.reason,
        seen_count = problem.seen_count + case when problem.last_seen_at < given.at then 1 else 0 end,
        last_seen_at = greatest(problem.last_seen_at, given.at)
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb)
        as given (id int, kind text, severity text, name text, reason text, at timestamptz(3))
      where problem.id = given.id`);
  await recordAll(tx, events);
  return seen.map(({ incidentId }) => incidentId);
}

/** Where a problem refers to what has it. */
const subjectColumns = {
  Subscription: "subscriptionId",
  Contract: "contractId",
  Table: "tableId",
} as const satisfies Record<Subject, keyof typeof incidentProblems.$inferInsert>;

async function beginProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const begun = found.flatMap(({ problem_id, project_id: projectId, kind, at, ...each }) =>
    problem_id !== null || projectId === null || kind === null || at === null
      ? []
      : [{ ...each, ...{ projectId, kind }, beganAt: new Date(at), subjectId: each.subject_id }],
  );
  if (begun.length === 0) return [];
  const projects = [...new Set(begun.map(({ projectId }) => projectId))];
  const describedBy = await describeProblems(tx, begun);
  const described = begun.map((each) => ({ ...each, ...describedBy(each) }));
  const current = await currentIncidents(tx, projects);
  const surroundingsOf = await loadSurroundings(projects, [
    ...described,
    ...[...current.values()].flatMap(({ problems }) => problems),
  ]);
  const ofProject = new Map(
    projects.map((id) => [id, new CurrentIncidents(current.filter((each) => each.projectId === id))]),
  );
  const opened: (typeof incidents.$inferInsert)[] = [];
  const problems: (typeof incidentProblems.$inferInsert)[] = [];
  const events: Recorded[] = [];
  for (const { projectId, subject, subjectId, kind, severity, ...problem } of described) {
    const { name, reason, dataSourceIds, tables, beganAt } = problem;
    const placed = { kind, dataSourceIds, tables, beganAt };
    const others = ofProject.get(projectId) ?? new CurrentIncidents();
    const joined = others.isEmpty ? null : incidentFor(placed, others, await surroundingsOf(placed));
    const howSevere = severity ?? severityOf[kind];
    // Until they are stored, all at once, new ones have negative numbers.
    const incidentId =
      joined ?? -opened.push({ projectId, openedAt: beganAt, severity: howSevere, title: "" });
    problems.push({
      ...{ incidentId, kind, name, reason, dataSourceIds: [...dataSourceIds], tables: [...tables] },
      [subjectColumns[subject]]: subjectId,
      ...{ severity: howSevere, beganAt, lastSeenAt: beganAt },
    });
    const what = joined === null ? "Opened" : "Joined";
    events.push({ incidentId, kind: what, text: `${name}: ${reason}`, at: beganAt });
    others.add({ id: incidentId, openedAt: beganAt }, placed);
  }
  const ids = await open(tx, opened);
  const stored = <Of extends { incidentId: number }>(each: Of): Of =>
    each.incidentId > 0 ? each : { ...each, incidentId: ids[-each.incidentId - 1] as number };
  const rows = problems.map(stored);
  for (const some of inParts(rows, maxRows)) await tx.insert(incidentProblems).values(some);
  await recordAll(tx, events.map(stored));
  return rows.map(({ incidentId }) => incidentId);
}

/** From so many problems on, all lineage of their projects is read once instead of that of each. */
const manyProblems = 50;

async function loadSurroundings(
  projects: readonly number[],
  problems: readonly Pick<Placed, "tables">[],
): Promise<(placed: Placed) => Promise<Surroundings>> {
  const tables = problems.flatMap((problem) => problem.tables);
  const [known, linkedOf] = await Promise.all([
    withLineage(tables),
    loadLinks(tables.map(({ dataSourceId }) => dataSourceId)),
  ]);
  const edges = known.size > manyProblems ? await loadEdges(projects) : undefined;
  return async (placed) => {
    // Without lineage of any of them, there is nothing to walk.
    const ofLine = placed.tables.some((table) => known.has(keyOf(table))) ? placed.tables : [];
    return {
      ...(await familyOf(ofLine, edges)),
      linked: linkedOf(placed.tables),
      knows: (key) => known.has(key),
    };
  };
}

/** Of projects, those that are not over, with their current problems. */
async function currentIncidents(
  tx: Transaction,
  projects: readonly number[],
): Promise<(CurrentIncident & { projectId: number })[]> {
  const rows = await tx
    .select({ incident: incidents, problem: incidentProblems })
    .from(incidents)
    .innerJoin(incidentProblems, eq(incidentProblems.incidentId, incidents.id))
    .where(
      and(
        ne(incidents.state, "Resolved"),
        isNull(incidentProblems.endedAt),
        inArray(incidents.projectId, [...projects]),
      ),
    );
  return [...Map.groupBy(rows, ({ incident }) => incident.id).values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { id, openedAt, projectId } = first.incident;
    return { projectId, id, openedAt, problems: members.map(({ problem }) => problem) };
  });
}

/** Opens incidents; returns their ids in the same order. */
async function open(tx: Transaction, opened: readonly (typeof incidents.$inferInsert)[]): Promise<number[]> {
  const ids: number[] = [];
  for (const rows of inParts(opened, maxRows))
    for (const { id } of await tx.insert(incidents).values(rows).returning({ id: incidents.id }))
      ids.push(id);
  return ids;
}

async function sourceNames(tx: Transaction, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx
    .select({ id: dataSources.id, name: dataSources.name })
    .from(dataSources)
    .where(isOneOf(dataSources.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Their sentences and severities, by their current problems; those without any are over. */
async function refreshIncidents(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { incidentId, endedAt, name, reason, kind, severity, dataSourceIds, tables, tableId } =
    incidentProblems;
  const problems = await tx
    .select({ incidentId, endedAt, name, reason, kind, severity, dataSourceIds, tables, tableId })
    .from(incidentProblems)
    .where(isOneOf(incidentId, ids))
    .orderBy(incidentId, incidentProblems.beganAt, incidentProblems.id);
  const names = await sourceNames(
    tx,
    problems.flatMap((problem) => problem.dataSourceIds),
  );
  const rows: { id: number; title: string; severity: Severity }[] = [];
  const over: number[] = [];
  for (const [id, all] of Map.groupBy(problems, (problem) => problem.incidentId)) {
    const current = all.filter((problem) => problem.endedAt === null);
    const told = current.length > 0 ? current : all;
    if (current.length === 0) over.push(id);
    const about = new Map(told.flatMap((problem) => problem.tables.map((table) => [keyOf(table), table])));
    const origin = await commonOrigin([...about.values()]);
    const worst = worstOf(told.map((problem) => problem.severity));
    rows.push({ id, title: titleOf(told, names, origin), severity: worst });
  }
  for (const some of inParts(rows, maxRows))
    await tx.execute(sql`
      update ${incidents} set title = given.title, severity = given.severity::${sql.raw(incidentSeverity.enumName)}
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as given (id int, title text, severity text)
      where ${incidents.id} = given.id`);
  const resolved = await tx
    .update(incidents)
    .set({ state: "Resolved", resolvedAt: sql`clock_timestamp()` })
    .where(and(isOneOf(incidents.id, over), ne(incidents.state, "Resolved")))
    .returning({ id: incidents.id });
  const text = "All its problems are over";
  await recordAll(
    tx,
    resolved.map(({ id }) => ({ incidentId: id, kind: "Resolved", text })),
  );
}

type Recorded = { incidentId: number; kind: IncidentEventKind; text: string; at?: Date };

/** Adds entries to timelines, in this order. */
async function recordAll(tx: Transaction, events: readonly Recorded[]): Promise<void> {
  for (const rows of inParts(events, maxRows)) await tx.insert(incidentEvents).values(rows);
}

/** Adds an entry to an incident's timeline. */
export async function record(
  tx: Connection,
  incidentId: number,
  kind: IncidentEventKind,
  text: string,
  at?: Date,
  userId?: number,
): Promise<void> {
  await tx
    .insert(incidentEvents)
    .values({ incidentId, kind, text, ...(at && { at }), userId: userId ?? null });
}
