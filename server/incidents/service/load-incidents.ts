import { and, asc, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { type Connection, db } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { ifAsked, ifGiven } from "../../db/listed.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { incidentButtons, incidentHash } from "../content.ts";
import { type ListIncidents, type Subject, subjects, type TableReference } from "../schema.ts";
import { incidentEvents, incidentProblems, incidents } from "../tables.ts";
import { withoutRepeats } from "../timeline.ts";
import { noticeSoon } from "./notice.ts";

type Filter = Partial<Omit<ListIncidents, keyof Paging>>;

const hasProblem = (condition: SQL) => sql`exists (
  select from ${incidentProblems} where ${incidentProblems.incidentId} = ${incidents.id} and ${condition})`;

/** A page of incidents: those that are not over first, worst first, then newest first. */
export async function listIncidents({ principal }: SignedIn, filter: Filter & Paging) {
  await noticeSoon();
  const { dataSourceId, subscriptionId, contractId } = filter;
  const fits = and(
    inVisibleProject(principal, incidents.projectId),
    ifGiven(filter.projectId, incidents.projectId),
    ifGiven(filter.state, incidents.state),
    ifAsked(filter.current, ne(incidents.state, "Resolved")),
    ifGiven(filter.severity, incidents.severity),
    ifGiven(filter.assigneeId, incidents.assigneeId),
    dataSourceId === undefined
      ? undefined
      : hasProblem(sql`${dataSourceId} = any(${incidentProblems.dataSourceIds})`),
    subscriptionId === undefined
      ? undefined
      : hasProblem(eq(incidentProblems.subscriptionId, subscriptionId)),
    contractId === undefined ? undefined : hasProblem(eq(incidentProblems.contractId, contractId)),
    ...wordsIn(filter.search ?? "").map(
      (word) =>
        sql`(${containsWord(sql`${incidents.title}`, word)} or ${hasProblem(containsWord(sql`${incidentProblems.tables}::text`, word))})`,
    ),
  );
  return paged(
    filter,
    async () => {
      const [row] = await db.select({ incidents: sql<number>`count(*)::int` }).from(incidents).where(fits);
      return row?.incidents ?? 0;
    },
    async ({ limit, offset }) => {
      const rows = await db
        .select()
        .from(incidents)
        .where(fits)
        .orderBy(
          sql`${incidents.state} = 'Resolved'`,
          sql`case when ${incidents.state} <> 'Resolved' then ${incidents.severity} end`,
          desc(incidents.openedAt),
          desc(incidents.id),
        )
        .limit(limit)
        .offset(offset);
      return shown(rows, tablesInList);
    },
  );
}

/** What a list says of an incident's tables; some have ten thousand. */
const tablesInList = 100;

/**
 * An incident with its problems and its timeline, or with `most`, the first so many. Throws not_found also if the caller cannot access
 * its project.
 */
export async function getIncident(ctx: SignedIn, id: number, most?: number) {
  await noticeSoon();
  return loadIncident(ctx, id, most);
}

/** As stored: for those who have just changed it. Throws like `getIncident`. */
export async function loadIncident({ principal }: SignedIn, id: number, most?: number) {
  const rows = await db
    .select()
    .from(incidents)
    .where(and(eq(incidents.id, id), inVisibleProject(principal, incidents.projectId)));
  const [incident] = await shown(rows, most);
  if (!incident) throw new Problem("not_found", "Incident not found");
  const [problems, events, owners] = await Promise.all([
    problemsOf(id, incident.dataSources, most),
    timelineOf(id),
    ownersOf(id),
  ]);
  return { ...incident, problems, timeline: most === undefined ? events : withoutRepeats(events), owners };
}

/** The buttons of a message about it, as it is now; none once it is over. Throws not_found. */
export async function buttonsOfIncident(ctx: SignedIn, id: number) {
  const incident = await loadIncident(ctx, id, 1);
  if (incident.state === "Resolved") return [];
  return incidentButtons(
    { id, state: incident.state, assigneeId: incident.assignee?.id ?? null },
    await currentOrAll(db, id),
  );
}

/** The hash of the problems that an incident has now. Throws not_found. */
export async function hashOfIncident(ctx: SignedIn, id: number): Promise<string> {
  await loadIncident(ctx, id, 1);
  return incidentHash(await currentOrAll(db, id));
}

/** The problems that a message about an incident shows: those it has now, or had. */
export async function currentOrAll(connection: Connection, incidentId: number) {
  const all = await connection
    .select()
    .from(incidentProblems)
    .where(eq(incidentProblems.incidentId, incidentId))
    .orderBy(incidentProblems.severity, incidentProblems.beganAt);
  const current = all.filter(({ endedAt }) => endedAt === null);
  return current.length > 0 ? current : all;
}

type Row = typeof incidents.$inferSelect;

/** What pages say of incidents, each with the first `mostTables` of its tables. */
async function shown(rows: readonly Row[], mostTables: number | undefined) {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [counts, tables, sources, people] = await Promise.all([
    countsOf(ids),
    tablesOf(ids, mostTables),
    sourcesOf(ids),
    namesOfUsers(
      rows.flatMap((row) => [row.acknowledgedById, row.resolvedById, row.assigneeId, row.silencedById]),
    ),
  ]);
  const personOf = (id: number | null) => people.get(id ?? 0) ?? null;
  return rows.map((row) => {
    const { acknowledgedById, resolvedById, assigneeId, silencedById, noticedAt: _, ...rest } = row;
    const { problemCount = 0, currentCount = 0, subjects = [] } = counts.get(row.id) ?? {};
    return {
      ...rest,
      acknowledgedBy: personOf(acknowledgedById),
      resolvedBy: personOf(resolvedById),
      assignee: personOf(assigneeId),
      silencedBy: personOf(silencedById),
      problemCount,
      currentCount,
      subjects,
      dataSources: sources.get(row.id) ?? [],
      tables: tables.get(row.id)?.tables ?? [],
      tableCount: tables.get(row.id)?.count ?? 0,
    };
  });
}

const isOfOne = (ids: readonly number[]) => isOneOf(incidentProblems.incidentId, ids);

async function countsOf(ids: readonly number[]) {
  const rows = await db
    .select({
      id: incidentProblems.incidentId,
      problemCount: sql<number>`count(*)::int`,
      currentCount: sql<number>`(count(*) filter (where ${incidentProblems.endedAt} is null))::int`,
      // As in `subjects`.
      Subscription: sql<boolean>`bool_or(${incidentProblems.subscriptionId} is not null)`,
      Contract: sql<boolean>`bool_or(${incidentProblems.contractId} is not null)`,
      Table: sql<boolean>`bool_or(${incidentProblems.tableId} is not null)`,
    })
    .from(incidentProblems)
    .where(isOfOne(ids))
    .groupBy(incidentProblems.incidentId);
  return new Map(
    rows.map(({ id, problemCount, currentCount, ...has }) => [
      id,
      { problemCount, currentCount, subjects: subjects.filter((subject) => has[subject]) },
    ]),
  );
}

/** The tables of each incident's problems, each once, in the order in which these were found; at most so many. */
async function tablesOf(ids: readonly number[], most: number | undefined) {
  const rows = await db.execute<{ id: number; count: number; tables: TableReference[] }>(sql`
    select incident_id as id, count(*)::int as count,
      to_jsonb((array_agg(named order by problem, place))[1 : coalesce(${most ?? null}::int, count(*)::int)]) as tables
    from (
      select ${incidentProblems.incidentId}, named, min(${incidentProblems.id}) as problem, min(place) as place
      from ${incidentProblems} cross join jsonb_array_elements(${incidentProblems.tables}) with ordinality as each (named, place)
      where ${isOfOne(ids)}
      group by 1, 2
    ) as once
    group by 1`);
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** By incident, in the order of their ids. */
async function sourcesOf(ids: readonly number[]): Promise<Map<number, { id: number; name: string }[]>> {
  const rows = await db
    .selectDistinct({ incidentId: incidentProblems.incidentId, id: dataSources.id, name: dataSources.name })
    .from(incidentProblems)
    .innerJoin(dataSources, sql`${dataSources.id} = any(${incidentProblems.dataSourceIds})`)
    .where(isOfOne(ids))
    .orderBy(dataSources.id);
  return new Map(
    [...Map.groupBy(rows, ({ incidentId }) => incidentId)].map(([incidentId, sources]) => [
      incidentId,
      sources.map(({ id, name }) => ({ id, name })),
    ]),
  );
}

const ownerId = sql<number | null>`coalesce(${contracts.ownerId}, ${subscriptions.ownerId})`;

/** Of its problems, in the order in which these began. */
async function ownersOf(incidentId: number) {
  const rows = await db
    .select({ ownerId })
    .from(incidentProblems)
    .leftJoin(contracts, eq(contracts.id, incidentProblems.contractId))
    .leftJoin(subscriptions, eq(subscriptions.id, incidentProblems.subscriptionId))
    .where(and(eq(incidentProblems.incidentId, incidentId), sql`${ownerId} is not null`))
    .groupBy(ownerId)
    .orderBy(sql`min(${incidentProblems.beganAt})`, sql`min(${incidentProblems.id})`);
  const people = await namesOfUsers(rows.map(({ ownerId }) => ownerId));
  return rows.flatMap(({ ownerId }) => people.get(ownerId ?? 0) ?? []);
}

/** Those that began first, first; at most so many. */
async function problemsOf(
  incidentId: number,
  sources: readonly { id: number; name: string }[],
  most: number | undefined,
) {
  const found = db
    .select({ problem: incidentProblems, ownerId })
    .from(incidentProblems)
    .leftJoin(contracts, eq(contracts.id, incidentProblems.contractId))
    .leftJoin(subscriptions, eq(subscriptions.id, incidentProblems.subscriptionId))
    .where(eq(incidentProblems.incidentId, incidentId))
    .orderBy(asc(incidentProblems.beganAt), asc(incidentProblems.id));
  const rows = await (most === undefined ? found : found.limit(most));
  const people = await namesOfUsers(rows.map(({ ownerId }) => ownerId));
  return rows.map(({ problem, ownerId }) => {
    const {
      incidentId: _,
      subscriptionId: __,
      contractId: ___,
      tableId: ____,
      dataSourceIds,
      ...rest
    } = problem;
    return {
      ...rest,
      ...subjectOf(problem),
      dataSources: sources.filter(({ id }) => dataSourceIds.includes(id)),
      owner: people.get(ownerId ?? 0) ?? null,
    };
  });
}

/** What has a problem, and its page in the console. */
function subjectOf({
  subscriptionId,
  contractId,
  tableId,
  tables: [table],
}: typeof incidentProblems.$inferSelect): { subject: Subject; subjectId: number; path: string } {
  if (contractId !== null)
    return { subject: "Contract", subjectId: contractId, path: `/data-quality/contracts/${contractId}` };
  if (tableId !== null && table) {
    const names = [table.schemaName, table.tableName].map(encodeURIComponent);
    return {
      ...{ subject: "Table", subjectId: tableId },
      path: `/catalog/${table.dataSourceId}/${names.join("/")}`,
    };
  }
  return {
    ...{ subject: "Subscription", subjectId: subscriptionId ?? 0 },
    path: `/subscriptions/${subscriptionId}`,
  };
}

async function timelineOf(incidentId: number) {
  const rows = await db
    .select()
    .from(incidentEvents)
    .where(eq(incidentEvents.incidentId, incidentId))
    .orderBy(asc(incidentEvents.at), asc(incidentEvents.id));
  const people = await namesOfUsers(rows.map(({ userId }) => userId));
  return rows.map(({ incidentId: _, userId, ...event }) => ({
    ...event,
    user: people.get(userId ?? 0) ?? null,
    more: 0,
  }));
}
