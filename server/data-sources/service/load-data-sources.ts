import { type AnyColumn, and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { Problem } from "../../errors.ts";
import { isDatabaseKind, isRest } from "../kinds.ts";
import { dataSources, scanSchedules } from "../tables.ts";

const { secret: _, ...shownColumns } = getTableColumns(dataSources);
/** What the API returns: never the secret, only whether there is one. */
const shown = {
  ...shownColumns,
  hasPassword: sql<boolean>`${dataSources.secret} is not null`,
  scanSchedule: {
    cronExpression: scanSchedules.cronExpression,
    timezone: scanSchedules.timezone,
    nextRunAt: scanSchedules.nextRunAt,
  },
};

export async function listDataSources(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
) {
  const items = await db
    .select(shown)
    .from(dataSources)
    .leftJoin(scanSchedules, eq(scanSchedules.id, dataSources.id))
    .where(
      and(
        inVisibleProject(principal, dataSources.projectId),
        projectId === undefined ? undefined : eq(dataSources.projectId, projectId),
      ),
    )
    .orderBy(asc(dataSources.name), asc(dataSources.id));
  return { items };
}

/** Databases of a project, or one by itself, for jobs: without a caller whose access would matter. */
export async function listDatabases(where: { projectId: number } | { dataSourceId: number }) {
  const rows = await db
    .select({ id: dataSources.id, projectId: dataSources.projectId, kind: dataSources.kind })
    .from(dataSources)
    .where(
      "projectId" in where
        ? eq(dataSources.projectId, where.projectId)
        : eq(dataSources.id, where.dataSourceId),
    )
    .orderBy(asc(dataSources.id));
  return rows.filter(({ kind }) => isDatabaseKind(kind));
}

/** The kind and the public connection of a database, for jobs; null for anything else. */
export async function findDatabase(id: number) {
  const [row] = await db
    .select({ kind: dataSources.kind, connection: dataSources.connection })
    .from(dataSources)
    .where(eq(dataSources.id, id));
  if (!row || !isDatabaseKind(row.kind) || isRest(row.connection)) return null;
  return { kind: row.kind, connection: row.connection };
}

/** A data source's project and name as columns of another query. */
export const sourceColumns = (id: AnyColumn) => ({
  projectId: sql<number>`(select source.project_id from data_sources source where source.id = ${id})`,
  dataSourceName: sql<string>`(select source.name from data_sources source where source.id = ${id})`,
});

const dataSourceById = compiled((db) =>
  db
    .select(shown)
    .from(dataSources)
    .leftJoin(scanSchedules, eq(scanSchedules.id, dataSources.id))
    .where(eq(dataSources.id, sql.placeholder("id"))),
);

/** Throws not_found both for an unknown data source and for one that the caller cannot access. */
export async function getDataSource({ principal }: Pick<SignedIn, "principal">, id: number) {
  const [row] = await dataSourceById().execute({ id });
  if (!row || !maySeeProject(principal, row.projectId))
    throw new Problem("not_found", "Data source not found");
  return row;
}

/** The same with its encrypted secret. */
export async function getStored(ctx: SignedIn, id: number) {
  await getDataSource(ctx, id);
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, id));
  if (!row) throw new Problem("not_found", "Data source not found");
  return row;
}
