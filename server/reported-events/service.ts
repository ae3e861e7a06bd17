import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../auth/principal.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { dialectOf } from "../data-sources/dialects/dialects.ts";
import { isBigQuery, isServer, isServerKind } from "../data-sources/kinds.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { db } from "../db/client.ts";
import { ifGiven } from "../db/listed.ts";
import { type Paging, paged } from "../db/paged.ts";
import { Problem } from "../errors.ts";
import { sendEvents } from "../jobs/client.ts";
import { getProject } from "../projects/service.ts";
import { storable } from "../text.ts";
import { type Source, tableOf } from "./datasets.ts";
import { loadReported } from "./events.ts";
import {
  type EventState,
  maxColumnPairs,
  maxTables,
  type NamedTable,
  type OpenLineageEvent,
  type Report,
  type ReportedColumns,
} from "./schema.ts";
import { reportedEvents } from "./tables.ts";

/** How long they are kept. */
const keptDays = 400;

/** Records an event, or brings one with the same key up to date. Throws not_found for the project and rejected for data sources of others. */
export async function reportEvent(ctx: SignedIn, { projectId, ...report }: Report) {
  await getProject(ctx, projectId);
  const sources = new Set((await listDataSources(ctx, { projectId })).items.map(({ id }) => id));
  for (const { dataSourceId } of [...report.inputs, ...report.outputs])
    if (!sources.has(dataSourceId))
      throw new Problem("rejected", `The project has no data source ${dataSourceId}`);
  const { at, ...event } = report;
  return save(ctx, { ...event, projectId, at: at ?? new Date(), startedAt: report.startedAt ?? null });
}

type Stored = Omit<Report, "at" | "startedAt" | "inputs" | "outputs"> & {
  columns?: ReportedColumns[];
  at: Date;
  startedAt: Date | null;
  inputs: NamedTable[];
  outputs: NamedTable[];
};

async function save({ principal }: SignedIn, { projectId, ...event }: Stored) {
  const isKey = principal.keyId !== undefined;
  const by = {
    principalKind: isKey ? ("ApiKey" as const) : ("User" as const),
    principalId: principal.keyId ?? principal.userId,
    principalName: principal.name,
  };
  const values = {
    ...event,
    description: event.description ?? null,
    url: event.url ?? null,
    key: event.key ?? null,
  };
  const [row] = await db
    .insert(reportedEvents)
    .values({ projectId, ...values, ...by })
    .onConflictDoUpdate({
      target: [reportedEvents.projectId, reportedEvents.key],
      targetWhere: sql`${reportedEvents.key} is not null`,
      set: {
        ...values,
        ...by,
        // What was reported of its beginning holds, and a late beginning does not undo its end.
        startedAt: sql`least(excluded.started_at, ${reportedEvents.startedAt})`,
        state: sql`case when excluded.state = 'Started' and ${reportedEvents.state} <> 'Started'
          then ${reportedEvents.state} else excluded.state end`,
        at: sql`greatest(excluded.at, ${reportedEvents.at})`,
        inputs: sql`case when excluded.inputs = '[]' then ${reportedEvents.inputs} else excluded.inputs end`,
        outputs: sql`case when excluded.outputs = '[]' then ${reportedEvents.outputs} else excluded.outputs end`,
        // Places among tables mean nothing among others.
        columns: sql`case when excluded.inputs = '[]' and excluded.outputs = '[]' then ${reportedEvents.columns}
          when excluded.inputs = '[]' or excluded.outputs = '[]' then '[]' else excluded.columns end`,
      },
    })
    .returning();
  if (!row) throw new Error("The insert returned no event");
  if (row.state !== "Failed" && row.inputs.length > 0 && row.outputs.length > 0)
    await sendEvents(db, loadReported.create({ eventId: row.id }));
  return shown(row);
}

/** An event as it was reported last; null if it was removed. */
export async function findReported(id: number): Promise<Row | null> {
  const [row] = await db.select().from(reportedEvents).where(eq(reportedEvents.id, id));
  return row ?? null;
}

function shown({
  principalKind: _,
  principalId: __,
  principalName,
  createdAt: ___,
  columns: ____,
  ...row
}: Row) {
  return { ...row, reportedBy: principalName };
}
type Row = typeof reportedEvents.$inferSelect;

const states: Record<NonNullable<OpenLineageEvent["eventType"]>, EventState> = {
  START: "Started",
  RUNNING: "Started",
  COMPLETE: "Succeeded",
  ABORT: "Failed",
  FAIL: "Failed",
  OTHER: "Started",
};

/** Takes a run event of OpenLineage: a load, by its run. Throws not_found for the project. */
export async function reportRun(
  ctx: SignedIn,
  { projectId, eventType = "OTHER", eventTime, run, job, inputs = [], outputs = [] }: OpenLineageEvent,
) {
  await getProject(ctx, projectId);
  const sources = await sourcesOf(ctx, projectId);
  const tables = (datasets: readonly { namespace: string; name: string }[]) =>
    datasets.slice(0, maxTables).map((dataset) => {
      const { dataSourceId, schemaName, tableName } = tableOf(dataset, sources);
      return { dataSourceId, schemaName: storable(schemaName, 200), tableName: storable(tableName, 200) };
    });
  const state = states[eventType];
  return save(ctx, {
    ...{ projectId, kind: "Load", state, url: null, description: null },
    name: storable(job.name, 200),
    startedAt: state === "Started" ? eventTime : null,
    at: eventTime,
    ...{ inputs: tables(inputs), outputs: tables(outputs) },
    key: storable(`openlineage ${run.runId}`, 200),
    columns: columnsIn(inputs.slice(0, maxTables), outputs.slice(0, maxTables)),
  });
}

/** By the facet `columnLineage`; fields of datasets that are no inputs of the run are left out. */
function columnsIn(
  inputs: NonNullable<OpenLineageEvent["inputs"]>,
  outputs: NonNullable<OpenLineageEvent["outputs"]>,
): ReportedColumns[] {
  const keyOf = ({ namespace, name }: { namespace: string; name: string }) =>
    JSON.stringify([namespace, name]);
  const places = new Map(inputs.map((input, place) => [keyOf(input), place]));
  const pairs = outputs.flatMap(({ facets }, output) =>
    Object.entries(facets?.columnLineage?.fields ?? {}).flatMap(([to, { inputFields }]) =>
      inputFields.flatMap((field) => {
        const input = places.get(keyOf(field));
        return input === undefined
          ? []
          : { input, from: storable(field.field, 200), output, to: storable(to, 200) };
      }),
    ),
  );
  return pairs.slice(0, maxColumnPairs);
}

async function sourcesOf(ctx: SignedIn, projectId: number): Promise<Source[]> {
  const { items } = await listDataSources(ctx, { projectId });
  return items.flatMap(({ id, kind, connection }): Source[] => {
    if (kind === "BigQuery" && isBigQuery(connection))
      return [{ id, kind, connection, defaultSchema: dialectOf(kind).defaultSchema(connection) }];
    if (!isServerKind(kind) || !isServer(connection)) return [];
    return [{ id, kind, connection, defaultSchema: dialectOf(kind).defaultSchema(connection) }];
  });
}

const isAbout = (dataSourceId: number): SQL =>
  sql`(${reportedEvents.inputs} @> ${JSON.stringify([{ dataSourceId }])}::jsonb
    or ${reportedEvents.outputs} @> ${JSON.stringify([{ dataSourceId }])}::jsonb)`;

/** A page of events, latest first. */
export async function listReported(
  { principal }: SignedIn,
  filter: Paging & {
    projectId?: number | undefined;
    kind?: Row["kind"] | undefined;
    dataSourceId?: number | undefined;
  },
) {
  const fits = and(
    inVisibleProject(principal, reportedEvents.projectId),
    ifGiven(filter.projectId, reportedEvents.projectId),
    ifGiven(filter.kind, reportedEvents.kind),
    filter.dataSourceId === undefined ? undefined : isAbout(filter.dataSourceId),
  );
  return paged(
    filter,
    () => db.$count(reportedEvents, fits),
    async ({ limit, offset }) => {
      const rows = await db
        .select()
        .from(reportedEvents)
        .where(fits)
        .orderBy(desc(reportedEvents.at), desc(reportedEvents.id))
        .limit(limit)
        .offset(offset);
      return rows.map(shown);
    },
  );
}

/** Removes an event, such as one reported by mistake. Throws not_found. */
export async function removeReported({ principal }: SignedIn, id: number) {
  const [row] = await db.select().from(reportedEvents).where(eq(reportedEvents.id, id));
  if (!row || !maySeeProject(principal, row.projectId)) throw new Problem("not_found", "Event not found");
  await db.delete(reportedEvents).where(eq(reportedEvents.id, id));
  return { name: row.name };
}

/** Removes what is older than a year. Returns how many. */
export async function removeOldEvents(): Promise<number> {
  const rows = await db
    .delete(reportedEvents)
    .where(sql`${reportedEvents.at} < now() - ${keptDays} * interval '1 day'`)
    .returning({ id: reportedEvents.id });
  return rows.length;
}
