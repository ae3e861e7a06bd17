import type { SignedIn } from "../../auth/principal.ts";
import { getOverview } from "../../data-quality/service/overview.ts";
import { loadDescriptions } from "../../data-sources/service/descriptions.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { getSchema } from "../../data-sources/service/read-schema.ts";
import { Problem, problemIn } from "../../errors.ts";
import { getProject } from "../../projects/service.ts";
import { type DocumentedSource, documentationOf, roomOfFile } from "../documentation.ts";
import type { CatalogTable } from "../schema.ts";

type Part = { schemaName?: string | undefined; tableName?: string | undefined };

/**
 * Markdown documentation of a data source, one of its schemas, or one table. Throws not_found, source_unreachable, and
 * source_timeout.
 */
export async function documentDataSource(ctx: SignedIn, { id, ...part }: { id: number } & Part) {
  const { name, documented } = await documentPart(ctx, { id, ...part });
  return { dataSourceId: id, dataSourceName: name, markdown: documentationOf(name, documented) };
}

async function documentPart(ctx: SignedIn, { id, ...part }: { id: number } & Part) {
  const source = await getDataSource(ctx, id);
  // The caller asked for this source, so a schema that can't be read is an error instead of a note.
  await getSchema(ctx, id);
  const quality = await getOverview(ctx, { dataSourceId: id, historiesUpTo: 0 });
  return {
    name: source.name,
    documented: narrowed([await documentSource(ctx, source, quality)], part),
  };
}

type Export = Part & { projectId?: number | undefined; dataSourceId?: number | undefined };
type ProjectPart = Part & { projectId: number; dataSourceName?: string | undefined };

/** The same for a project, or for its data sources with a given name. Throws not_found. */
export async function documentProject(ctx: SignedIn, { projectId, dataSourceName, ...part }: ProjectPart) {
  const { name } = await getProject(ctx, projectId);
  const documented = await documentSources(ctx, projectId, dataSourceName);
  return { markdown: documentationOf(name, narrowed(documented, part)) };
}

/**
 * Full documentation of a data source, one of its schemas or tables, a project, or everything the caller may see; for a
 * file, so without the limits that assistants need. Throws like the above.
 */
export async function exportDocumentation(ctx: SignedIn, { projectId, dataSourceId, ...part }: Export) {
  if (dataSourceId !== undefined) {
    const { name, documented } = await documentPart(ctx, { id: dataSourceId, ...part });
    return { markdown: documentationOf(name, documented, roomOfFile) };
  }
  const name = projectId === undefined ? "Catalog" : (await getProject(ctx, projectId)).name;
  const documented = await documentSources(ctx, projectId);
  return { markdown: documentationOf(name, documented, roomOfFile) };
}

/** The data sources of a project, or all the caller may see; with a given name, if any. */
export async function documentSources(ctx: SignedIn, projectId?: number, dataSourceName?: string) {
  const { items } = await listDataSources(ctx, { projectId });
  const meant = items.filter(({ name }) => name === (dataSourceName ?? name));
  if (meant.length === 0 && dataSourceName !== undefined)
    throw new Problem("not_found", "Data source not found");
  const quality = await getOverview(ctx, { projectId, historiesUpTo: 0 });
  return Promise.all(meant.map((source) => documentSource(ctx, source, quality)));
}

type Source = { id: number; name: string; kind: string };
type Quality = Awaited<ReturnType<typeof getOverview>>;

/** An unreachable source is documented as such, without affecting the others. */
export async function documentSource(
  ctx: SignedIn,
  source: Source,
  quality: Quality,
): Promise<DocumentedSource> {
  const { id, name, kind } = source;
  const [{ items, unavailable }, described] = await Promise.all([
    getSchema(ctx, id).then(
      (schema) => ({ items: schema.items, unavailable: null }),
      (error) => ({ items: [], unavailable: reasonOf(error) }),
    ),
    loadDescriptions(id),
  ]);
  const nameIn = (each: { schemaName: string; tableName: string }, columnName: string | null) =>
    JSON.stringify([each.schemaName, each.tableName, columnName]);
  const descriptionOf = new Map(described.map((each) => [nameIn(each, each.columnName), each.description]));
  const scores = quality.items.find(({ dataSourceId }) => dataSourceId === id)?.tables ?? [];
  const keyOf = (table: { schemaName: string; tableName: string }) =>
    JSON.stringify([table.schemaName, table.tableName]);
  const scoreOf = new Map(scores.map((score) => [keyOf(score), score]));
  const tables = items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName, kind, rowEstimate, comment, columns }) => {
      const score = scoreOf.get(keyOf({ schemaName, tableName }));
      const facts: CatalogTable = {
        ...{ schemaName, tableName, kind, rowEstimate },
        qualityScore: score?.measured?.score ?? null,
        trend: score?.measured?.trend ?? null,
      };
      const saidOf = (columnName: string | null) =>
        descriptionOf.get(nameIn({ schemaName, tableName }, columnName)) ?? null;
      return {
        ...{ ...facts, comment, description: saidOf(null) },
        columns: columns.map((column) => ({ ...column, description: saidOf(column.name) })),
      };
    }),
  );
  return { name, kind, unavailable, tables };
}

function reasonOf(error: unknown): string {
  const problem = problemIn(error);
  if (!problem) throw error;
  return problem.detail;
}

/** The requested tables; throws not_found if none match. */
function narrowed(sources: readonly DocumentedSource[], { schemaName, tableName }: Part): DocumentedSource[] {
  if (schemaName === undefined && tableName === undefined) return [...sources];
  const found = sources.map((source) => ({
    ...source,
    tables: source.tables.filter(
      (each) =>
        each.schemaName === (schemaName ?? each.schemaName) &&
        each.tableName === (tableName ?? each.tableName),
    ),
  }));
  const withTables = found.filter(({ tables }) => tables.length > 0);
  if (withTables.length === 0)
    throw new Problem("not_found", tableName === undefined ? "Schema not found" : "Table not found");
  return withTables;
}
