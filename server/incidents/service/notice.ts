import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { dataSources } from "../../data-sources/tables.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { commonOrigin, familyOf, withLineage } from "../../lineage/service/walk.ts";
import { type CurrentIncident, incidentFor, keyOf, type Placed, type Surroundings } from "../grouping.ts";
import { titleOf } from "../in-words.ts";
import {
  type IncidentEventKind,
  type ProblemKind,
  type Severity,
  type Subject,
  subjects,
} from "../schema.ts";
import { severityOf, worstOf } from "../severity.ts";
import { incidentEvents, incidentProblems, incidents } from "../tables.ts";
import { contractsNow, subscriptionsNow, tablesNow } from "./checks-now.ts";
import { describeProblem, endOf, linkedTo } from "./describe-problems.ts";

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

async function endProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const over = found.filter(({ kind }) => kind === null);
  const ends = new Map(
    await Promise.all(
      subjects.map(
        async (subject) =>
          [
            subject,
            await endOf(
              tx,
              subject,
              over.filter((each) => each.subject === subject).map(({ subject_id }) => subject_id),
            ),
          ] as const,
      ),
    ),
  );
  const changed: number[] = [];
  for (const { subject, subject_id, problem_id } of over) {
    if (problem_id === null) continue;
    const ended = ends.get(subject)?.get(subject_id) ?? "gone";
    const [row] = await tx
      .update(incidentProblems)
      .set({ endedAt: sql`clock_timestamp()`, ended })
      .where(eq(incidentProblems.id, problem_id))
      .returning();
    if (!row) continue;
    changed.push(row.incidentId);
    await record(
      tx,
      row.incidentId,
      "Ended",
      `${row.name} ${ended === "recovered" ? ended : `was ${ended}`}`,
    );
  }
  return changed;
}

/** The same problem, seen again or in another way. */
async function updateProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const changed: number[] = [];
  for (const { subject, subject_id, kind, severity, at, problem_id, incident_id, former_kind } of found) {
    if (problem_id === null || incident_id === null || kind === null || at === null) continue;
    const { name, reason } = await describeProblem(tx, { subject, subjectId: subject_id, kind });
    const isSeenAgain = sql`${incidentProblems.lastSeenAt} < ${at}::timestamptz(3)`;
    await tx
      .update(incidentProblems)
      .set({
        ...{ kind, severity: severity ?? severityOf[kind], name, reason },
        seenCount: sql`${incidentProblems.seenCount} + case when ${isSeenAgain} then 1 else 0 end`,
        lastSeenAt: sql`greatest(${incidentProblems.lastSeenAt}, ${at}::timestamptz(3))`,
      })
      .where(eq(incidentProblems.id, problem_id));
    changed.push(incident_id);
    if (kind !== former_kind) await record(tx, incident_id, "Changed", `${name}: ${reason}`);
  }
  return changed;
}

/** Where a problem refers to what has it. */
const subjectColumns = {
  Subscription: "subscriptionId",
  Contract: "contractId",
  Table: "tableId",
} as const satisfies Record<Subject, keyof typeof incidentProblems.$inferInsert>;

async function beginProblems(tx: Transaction, found: readonly Difference[]): Promise<number[]> {
  const begun = found.filter(({ problem_id }) => problem_id === null);
  const projects = [...new Set(begun.flatMap(({ project_id }) => project_id ?? []))];
  const current = await currentIncidents(tx, projects);
  const changed: number[] = [];
  for (const { subject, subject_id, project_id, kind, severity, at } of begun) {
    if (project_id === null || kind === null || at === null) continue;
    const { name, reason, dataSourceIds, tables } = await describeProblem(tx, {
      ...{ subject, subjectId: subject_id, kind },
    });
    const placed = { kind, dataSourceIds, tables, beganAt: new Date(at) };
    const ofProject = current.get(project_id) ?? [];
    const joined =
      ofProject.length === 0 ? null : incidentFor(placed, ofProject, await surroundingsOf(placed, ofProject));
    const incidentId = joined ?? (await open(tx, project_id, placed.beganAt, severity ?? severityOf[kind]));
    await tx.insert(incidentProblems).values({
      ...{ incidentId, kind, name, reason, dataSourceIds, tables },
      [subjectColumns[subject]]: subject_id,
      severity: severity ?? severityOf[kind],
      beganAt: placed.beganAt,
      lastSeenAt: placed.beganAt,
    });
    await record(tx, incidentId, joined === null ? "Opened" : "Joined", `${name}: ${reason}`, placed.beganAt);
    const incident = ofProject.find(({ id }) => id === incidentId);
    if (incident) incident.problems.push(placed);
    else ofProject.push({ id: incidentId, openedAt: placed.beganAt, problems: [placed] });
    current.set(project_id, ofProject);
    changed.push(incidentId);
  }
  return changed;
}

async function surroundingsOf(
  { tables }: Placed,
  current: readonly CurrentIncident[],
): Promise<Surroundings> {
  const [family, linked] = await Promise.all([familyOf(tables), linkedTo(tables)]);
  const others = current.flatMap(({ problems }) => problems.flatMap((problem) => problem.tables));
  const known = family.isKnown ? await withLineage(others) : new Set<string>();
  return { ...family, linked, knows: (key) => known.has(key) };
}

type Growing = CurrentIncident & { problems: CurrentIncident["problems"][number][] };

/** Of projects, those that are not over, with their current problems. */
async function currentIncidents(
  tx: Transaction,
  projects: readonly number[],
): Promise<Map<number, Growing[]>> {
  if (projects.length === 0) return new Map();
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
  const byId = Map.groupBy(rows, ({ incident }) => incident.id);
  const grown = [...byId.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { id, openedAt, projectId } = first.incident;
    return { projectId, id, openedAt, problems: members.map(({ problem }) => problem) };
  });
  return Map.groupBy(grown, ({ projectId }) => projectId);
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
