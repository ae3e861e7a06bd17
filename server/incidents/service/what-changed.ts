import { and, between, desc, eq, gte, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { contracts, contractVersions } from "../../data-quality/tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { relatedTables } from "../../lineage/service/walk.ts";
import { queries, queryVersions } from "../../queries/tables.ts";
import { reportedEvents } from "../../reported-events/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { tableAlerts, watchedTables } from "../../watch/tables.ts";
import { keyOf } from "../grouping.ts";
import { type changesSchema, relations, type TableReference } from "../schema.ts";
import { incidentProblems, incidents } from "../tables.ts";
import { linkedTo } from "./describe-problems.ts";
import { getIncident } from "./load-incidents.ts";

export type Change = z.input<typeof changesSchema>["items"][number] & {
  /** Whether it still was so when the problem began. */
  isLasting: boolean;
  /** Whether columns or a whole table changed. */
  isSchema: boolean;
};
type Relation = Change["relation"];

/** What is older explains little. */
export const windowHours = 48;
/** A first sign is often seen some minutes after what caused it was written down. */
const graceMinutes = 15;
const maxItems = 15;

/**
 * What changed before an incident began: what others reported, versions of contracts and queries, changed columns, and
 * problems of tables that its tables are made from. The nearest come first: of its own tables, then of those upstream, of
 * those that a foreign key links, and of the whole project; then the latest. Throws like `getIncident`.
 */
export async function whatChanged(ctx: SignedIn, id: number) {
  const incident = await getIncident(ctx, id);
  const { since, items } = await changesBefore(await scopeOf(incident));
  return {
    since,
    items: items.slice(0, maxItems).map(({ isLasting: _, isSchema: __, ...item }) => item),
    omitted: Math.max(0, items.length - maxItems),
  };
}

/** What may have changed before something went wrong: when that was, and what it is about. */
export type ChangeScope = {
  projectId: number;
  began: Date;
  tables: readonly TableReference[];
  dataSourceIds: readonly number[];
  contractIds: readonly number[];
  subscriptionIds: readonly number[];
  /** An incident that it is part of, which explains nothing. */
  incidentId: number | null;
};

/** An incident as `changesBefore` needs it. */
export async function scopeOf({
  id,
  projectId,
  openedAt,
  tables,
  dataSources: sources,
}: Pick<
  Awaited<ReturnType<typeof getIncident>>,
  "id" | "projectId" | "openedAt" | "tables" | "dataSources"
>): Promise<ChangeScope> {
  const members = await db
    .select({ contractId: incidentProblems.contractId, subscriptionId: incidentProblems.subscriptionId })
    .from(incidentProblems)
    .where(eq(incidentProblems.incidentId, id));
  return {
    ...{ projectId, began: new Date(openedAt), tables, incidentId: id },
    dataSourceIds: sources.map(({ id: sourceId }) => sourceId),
    contractIds: members.flatMap(({ contractId }) => contractId ?? []),
    subscriptionIds: members.flatMap(({ subscriptionId }) => subscriptionId ?? []),
  };
}

/** What changed in the two days before, nearest first. The caller checks access to the project. */
export async function changesBefore({
  projectId,
  began,
  tables,
  dataSourceIds,
  contractIds,
  subscriptionIds,
  incidentId,
}: ChangeScope): Promise<{ since: Date; items: Change[] }> {
  const window = {
    from: new Date(began.getTime() - windowHours * 3_600_000),
    until: new Date(began.getTime() + graceMinutes * 60_000),
  };
  const nearness = await nearnessOf(tables);
  const all = await Promise.all([
    reported(projectId, window, nearness),
    versionsOfContracts(contractIds, window),
    versionsOfQueries(subscriptionIds, window),
    alerts(window, nearness),
    otherIncidents({ incidentId, projectId }, window, nearness),
    changedSources(dataSourceIds, window),
  ]);
  const items = all
    .flat()
    .toSorted(
      (a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation) || Number(b.at) - Number(a.at),
    );
  return { since: window.from, items };
}

type Window = { from: Date; until: Date };
const within = (column: Parameters<typeof between>[0], { from, until }: Window): SQL =>
  between(column, from, until);

/** How near each table is that has anything to do with an incident's tables. */
async function nearnessOf(affected: readonly TableReference[]): Promise<Map<string, Relation>> {
  const nearness = new Map<string, Relation>();
  for (const key of await linkedTo(affected)) nearness.set(key, "Linked");
  for (const key of await relatedTables(affected, "Upstream")) nearness.set(key, "Upstream");
  for (const key of affected.map(keyOf)) nearness.set(key, "Affected");
  return nearness;
}

const keyOfNamed = ({
  dataSourceId,
  ...name
}: { dataSourceId: number | null } & Omit<TableReference, "dataSourceId">) =>
  keyOf({ ...name, dataSourceId: dataSourceId ?? 0 });

function nearest(keys: readonly string[], nearness: ReadonlyMap<string, Relation>): Relation | null {
  const all = keys.flatMap((key) => nearness.get(key) ?? []);
  return relations.find((relation) => all.includes(relation)) ?? null;
}

/** What happens at a moment. */
const once = { isLasting: false, isSchema: false };

async function reported(
  projectId: number,
  window: Window,
  nearness: ReadonlyMap<string, Relation>,
): Promise<Change[]> {
  const rows = await db
    .select()
    .from(reportedEvents)
    .where(and(eq(reportedEvents.projectId, projectId), within(reportedEvents.at, window)))
    .orderBy(desc(reportedEvents.at))
    .limit(500);
  return rows.flatMap(({ id, kind, name, state, at, inputs, outputs, url, principalName }) => {
    const named = [...outputs, ...inputs];
    const relation = named.length === 0 ? "Project" : nearest(named.map(keyOfNamed), nearness);
    if (relation === null) return [];
    const ended = { Started: "started", Succeeded: "", Failed: "failed" }[state];
    return [
      {
        ...{ kind: "Reported" as const, id, at, relation, isFailure: state === "Failed" },
        ...once,
        words: `${kind === "Other" ? "" : `${kind} `}${name} ${ended}`.trim(),
        detail: `reported by ${principalName}`,
        ...{ path: null, url },
      },
    ];
  });
}

async function versionsOfContracts(ids: readonly number[], window: Window): Promise<Change[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ version: contractVersions, name: contracts.name })
    .from(contractVersions)
    .innerJoin(contracts, eq(contracts.id, contractVersions.contractId))
    .where(and(inArray(contractVersions.contractId, [...ids]), within(contractVersions.createdAt, window)));
  return rows.map(({ version: { contractId, number, createdAt, principalName }, name }) => ({
    ...{ kind: "ContractVersion" as const, id: contractId, at: createdAt, relation: "Affected" as const },
    ...{ isFailure: false, url: null, ...once },
    words: number === 1 ? `The contract ${name} was created` : `Version ${number} of the contract ${name}`,
    detail: principalName === null ? null : `by ${principalName}`,
    path: `/data-quality/contracts/${contractId}`,
  }));
}

async function versionsOfQueries(ids: readonly number[], window: Window): Promise<Change[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectDistinctOn([queryVersions.id], { version: queryVersions, name: queries.name })
    .from(subscriptions)
    .innerJoin(queries, eq(queries.id, subscriptions.queryId))
    .innerJoin(queryVersions, eq(queryVersions.queryId, queries.id))
    .where(
      and(
        inArray(subscriptions.id, [...ids]),
        within(queryVersions.createdAt, window),
        inArray(queryVersions.status, ["Active", "Archived"]),
      ),
    );
  return rows.map(({ version: { queryId, number, createdAt, changeSummary }, name }) => ({
    ...{ kind: "QueryVersion" as const, id: queryId, at: createdAt, relation: "Affected" as const },
    ...{ isFailure: false, url: null, detail: changeSummary, ...once },
    words: number === 1 ? `The query ${name} was created` : `Version ${number} of the query ${name}`,
    path: `/queries/${queryId}`,
  }));
}

/** Changed columns of its tables, and whatever was unusual about those upstream. */
async function alerts(window: Window, nearness: ReadonlyMap<string, Relation>): Promise<Change[]> {
  const sources = [
    ...new Set([...nearness.keys()].map((key) => Number((JSON.parse(key) as unknown[])[0]))),
  ].filter((id) => Number.isInteger(id) && id > 0);
  if (sources.length === 0) return [];
  const rows = await db
    .select({ alert: tableAlerts, table: watchedTables })
    .from(tableAlerts)
    .innerJoin(watchedTables, eq(watchedTables.id, tableAlerts.tableId))
    .where(and(inArray(watchedTables.dataSourceId, sources), within(tableAlerts.openedAt, window)));
  return rows.flatMap(({ alert, table: { dataSourceId, schemaName, tableName } }) => {
    const relation = nearness.get(keyOf({ dataSourceId, schemaName, tableName }));
    if (!relation || (relation === "Affected" && alert.kind !== "Schema" && alert.kind !== "Gone")) return [];
    return [
      {
        ...{ kind: "Table" as const, id: alert.id, at: alert.openedAt, relation, isFailure: true, url: null },
        words: `${schemaName}.${tableName}: ${alert.sentence}`,
        detail: alert.endedAt === null ? "still so" : null,
        isLasting: alert.endedAt === null,
        isSchema: alert.kind === "Schema" || alert.kind === "Gone",
        path: `/catalog/${dataSourceId}/${encodeURIComponent(schemaName)}/${encodeURIComponent(tableName)}`,
      },
    ];
  });
}

/** Incidents of tables upstream that lasted, or that ended in the window: theirs may be the cause. */
async function otherIncidents(
  { incidentId, projectId }: { incidentId: number | null; projectId: number },
  { from, until }: Window,
  nearness: ReadonlyMap<string, Relation>,
): Promise<Change[]> {
  const upstream = [...nearness].flatMap(([key, relation]) => (relation === "Upstream" ? key : []));
  if (upstream.length === 0) return [];
  const rows = await db
    .select({ incident: incidents, tables: incidentProblems.tables })
    .from(incidents)
    .innerJoin(incidentProblems, eq(incidentProblems.incidentId, incidents.id))
    .where(
      and(
        eq(incidents.projectId, projectId),
        incidentId === null ? undefined : ne(incidents.id, incidentId),
        sql`${incidents.openedAt} <= ${until.toISOString()}::timestamptz`,
        or(isNull(incidents.resolvedAt), gte(incidents.resolvedAt, from)),
      ),
    )
    .orderBy(desc(incidents.openedAt))
    .limit(500);
  const found = new Map<number, Change>();
  for (const { incident, tables } of rows)
    if (!found.has(incident.id) && tables.some((table) => upstream.includes(keyOf(table))))
      found.set(incident.id, {
        ...{
          kind: "Incident",
          id: incident.id,
          at: incident.openedAt,
          relation: "Upstream",
          isFailure: true,
        },
        ...{ words: incident.title, detail: incident.resolvedAt === null ? "still open" : null },
        ...{ isLasting: incident.resolvedAt === null, isSchema: false },
        ...{ path: `/incidents/${incident.id}`, url: null },
      });
  return [...found.values()];
}

async function changedSources(ids: readonly number[], window: Window): Promise<Change[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: dataSources.id, name: dataSources.name, at: dataSources.updatedAt })
    .from(dataSources)
    .where(
      and(
        inArray(dataSources.id, [...ids]),
        within(dataSources.updatedAt, window),
        isNotNull(dataSources.updatedAt),
      ),
    );
  return rows.map(({ id, name, at }) => ({
    ...{ kind: "DataSource" as const, id, at, relation: "Affected" as const, isFailure: false, url: null },
    ...once,
    ...{ words: `The data source ${name} was connected or changed`, detail: null },
    path: `/data-sources/${id}`,
  }));
}
