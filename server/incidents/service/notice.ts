import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { dataSources } from "../../data-sources/tables.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { inParts } from "../../db/in-parts.ts";
import { commonOrigin, familyOf, loadEdges, withLineage } from "../../lineage/service/walk.ts";
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
import { type Described, describeProblems, endOf, loadLinks } from "./describe-problems.ts";

/**
 * Brings incidents to what subscriptions, contracts, and watched tables say now: new problems join an incident or open one, what is over
 * ends, and an incident without a current problem is resolved. It compares states, so it may run at any time, twice,
 * or late, and a process that dies in it loses nothing.
 *
 * Returns the ids of the incidents that changed. Usually nothing has, and that costs one statement.
 */
export async function noticeIncidents(): Promise<number[]> {
  if ((await differences(db, 1)).length === 0) return [];
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('incidents', 0))`);
    const found = await differences(tx);
    const changed = new Set<number>();
    for (const each of await endProblems(tx, found)) changed.add(each);
    for (const each of await updateProblems(tx, found)) changed.add(each);
    for (const each of await beginProblems(tx, found)) changed.add(each);
    const names = await sourceNames(tx, [...changed]);
    for (const id of changed) await refreshIncident(tx, id, names);
    return [...changed];
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

/** Where stored problems differ from what is wrong now; in the order of time. */
async function differences(connection: Connection, most?: number): Promise<Difference[]> {
  const limit: SQL = most === undefined ? sql`` : sql`limit ${most}`;
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
    order by wrong.at, subject, subject_id ${limit}`);
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
    const { name, reason } = await describedBy(each);
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
  const described: (Described & (typeof begun)[number])[] = [];
  for (const each of begun) described.push({ ...each, ...(await describedBy(each)) });
  const current = await currentIncidents(tx, projects);
  const surroundingsOf = await loadSurroundings(projects, [
    ...described,
    ...[...current.values()].flatMap(({ problems }) => problems),
  ]);
  const ofProject = new Map(
    projects.map((id) => [id, new CurrentIncidents(current.filter((each) => each.projectId === id))]),
  );
  const changed: number[] = [];
  const problems: (typeof incidentProblems.$inferInsert)[] = [];
  const events: Recorded[] = [];
  for (const { projectId, subject, subjectId, kind, severity, ...problem } of described) {
    const { name, reason, dataSourceIds, tables, beganAt } = problem;
    const placed = { kind, dataSourceIds, tables, beganAt };
    const others = ofProject.get(projectId) ?? new CurrentIncidents();
    const joined = others.isEmpty ? null : incidentFor(placed, others, await surroundingsOf(placed));
    const howSevere = severity ?? severityOf[kind];
    const incidentId = joined ?? (await open(tx, projectId, beganAt, howSevere));
    problems.push({
      ...{ incidentId, kind, name, reason, dataSourceIds: [...dataSourceIds], tables: [...tables] },
      [subjectColumns[subject]]: subjectId,
      ...{ severity: howSevere, beganAt, lastSeenAt: beganAt },
    });
    const what = joined === null ? "Opened" : "Joined";
    events.push({ incidentId, kind: what, text: `${name}: ${reason}`, at: beganAt });
    others.add({ id: incidentId, openedAt: beganAt }, placed);
    changed.push(incidentId);
  }
  for (const rows of inParts(problems, maxRows)) await tx.insert(incidentProblems).values(rows);
  await recordAll(tx, events);
  return changed;
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

async function open(tx: Transaction, projectId: number, openedAt: Date, severity: Severity): Promise<number> {
  const [incident] = await tx
    .insert(incidents)
    .values({ projectId, openedAt, severity, title: "" })
    .returning({ id: incidents.id });
  if (!incident) throw new Error("The insert returned no incident");
  return incident.id;
}

async function sourceNames(tx: Transaction, incidentIds: readonly number[]): Promise<Map<number, string>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx
    .select({ id: dataSources.id, name: dataSources.name })
    .from(dataSources)
    .where(
      sql`${dataSources.id} in (select unnest(${incidentProblems.dataSourceIds}) from ${incidentProblems} where ${inArray(incidentProblems.incidentId, [...incidentIds])})`,
    );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Its sentence and severity, by its current problems; without any, it is over. */
async function refreshIncident(
  tx: Transaction,
  id: number,
  names: ReadonlyMap<number, string>,
): Promise<void> {
  const all = await tx
    .select()
    .from(incidentProblems)
    .where(eq(incidentProblems.incidentId, id))
    .orderBy(incidentProblems.beganAt, incidentProblems.id);
  const current = all.filter(({ endedAt }) => endedAt === null);
  const told = current.length > 0 ? current : all;
  const tables = new Map(told.flatMap((problem) => problem.tables.map((table) => [keyOf(table), table])));
  const origin = await commonOrigin([...tables.values()]);
  await tx
    .update(incidents)
    .set({ title: titleOf(told, names, origin), severity: worstOf(told.map(({ severity }) => severity)) })
    .where(eq(incidents.id, id));
  if (current.length > 0) return;
  const resolved = await tx
    .update(incidents)
    .set({ state: "Resolved", resolvedAt: sql`clock_timestamp()` })
    .where(and(eq(incidents.id, id), ne(incidents.state, "Resolved")))
    .returning({ id: incidents.id });
  if (resolved.length > 0) await record(tx, id, "Resolved", "All its problems are over");
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
