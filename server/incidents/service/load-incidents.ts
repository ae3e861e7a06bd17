import { and, asc, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { contracts } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { type Connection, db } from "../../db/client.ts";
import { ifAsked, ifGiven } from "../../db/listed.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { incidentButtons, incidentHash } from "../content.ts";
import { keyOf } from "../grouping.ts";
import type { ListIncidents, Subject } from "../schema.ts";
import { incidentEvents, incidentProblems, incidents } from "../tables.ts";
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
      return shown(rows);
    },
  );
}

/** An incident with its problems and its timeline. Throws not_found also if the caller cannot access its project. */
export async function getIncident(ctx: SignedIn, id: number) {
  await noticeSoon();
  return loadIncident(ctx, id);
}

/** As stored: for those who have just changed it. Throws like `getIncident`. */
export async function loadIncident({ principal }: SignedIn, id: number) {
  const rows = await db
    .select()
    .from(incidents)
    .where(and(eq(incidents.id, id), inVisibleProject(principal, incidents.projectId)));
  const [incident] = await shown(rows);
  if (!incident) throw new Problem("not_found", "Incident not found");
  const [problems, timeline] = await Promise.all([problemsOf(id, incident.dataSources), timelineOf(id)]);
  const owners = problems.flatMap(({ owner }) => owner ?? []);
  return {
    ...incident,
    problems,
    timeline,
    owners: [...new Map(owners.map((owner) => [owner.id, owner])).values()],
  };
}

/** The buttons of a message about it, as it is now; none once it is over. Throws not_found. */
export async function buttonsOfIncident(ctx: SignedIn, id: number) {
  const incident = await loadIncident(ctx, id);
  if (incident.state === "Resolved") return [];
  return incidentButtons(
    { id, state: incident.state, assigneeId: incident.assignee?.id ?? null },
    await currentOrAll(db, id),
  );
}

/** The hash of the problems that an incident has now. Throws not_found. */
export async function hashOfIncident(ctx: SignedIn, id: number): Promise<string> {
  await loadIncident(ctx, id);
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

async function shown(rows: readonly Row[]) {
  if (rows.length === 0) return [];
  const members = await db
    .select({
      incidentId: incidentProblems.incidentId,
      dataSourceIds: incidentProblems.dataSourceIds,
      tables: incidentProblems.tables,
      endedAt: incidentProblems.endedAt,
    })
    .from(incidentProblems)
    .where(
      inArray(
        incidentProblems.incidentId,
        rows.map(({ id }) => id),
      ),
    );
  const membersOf = Map.groupBy(members, ({ incidentId }) => incidentId);
  const [people, sources] = await Promise.all([
    namesOfUsers(
      rows.flatMap((row) => [row.acknowledgedById, row.resolvedById, row.assigneeId, row.silencedById]),
    ),
    namesOfSources(members.flatMap(({ dataSourceIds }) => dataSourceIds)),
  ]);
  const personOf = (id: number | null) => people.get(id ?? 0) ?? null;
  return rows.map((row) => {
    const { acknowledgedById, resolvedById, assigneeId, silencedById, noticedAt: _, ...rest } = row;
    const own = membersOf.get(row.id) ?? [];
    const ids = [...new Set(own.flatMap(({ dataSourceIds }) => dataSourceIds))];
    const tables = new Map(own.flatMap((each) => each.tables.map((table) => [keyOf(table), table])));
    return {
      ...rest,
      acknowledgedBy: personOf(acknowledgedById),
      resolvedBy: personOf(resolvedById),
      assignee: personOf(assigneeId),
      silencedBy: personOf(silencedById),
      problemCount: own.length,
      currentCount: own.filter(({ endedAt }) => endedAt === null).length,
      dataSources: ids.map((id) => ({ id, name: sources.get(id) ?? "" })),
      tables: [...tables.values()],
    };
  });
}

async function namesOfSources(ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: dataSources.id, name: dataSources.name })
    .from(dataSources)
    .where(inArray(dataSources.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function problemsOf(incidentId: number, sources: readonly { id: number; name: string }[]) {
  const rows = await db
    .select({
      problem: incidentProblems,
      ownerId: sql<number | null>`coalesce(${contracts.ownerId}, ${subscriptions.ownerId})`,
    })
    .from(incidentProblems)
    .leftJoin(contracts, eq(contracts.id, incidentProblems.contractId))
    .leftJoin(subscriptions, eq(subscriptions.id, incidentProblems.subscriptionId))
    .where(eq(incidentProblems.incidentId, incidentId))
    .orderBy(asc(incidentProblems.beganAt), asc(incidentProblems.id));
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
  }));
}
