import { count, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { getOverview } from "../../data-quality/service/overview.ts";
import { historiesOf, scoreKey } from "../../data-quality/service/shown-scores.ts";
import type { WatchedTable } from "../../data-quality/service/table-scores.ts";
import { isDatabaseKind, type Kind } from "../../data-sources/kinds.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { loadTags } from "../../data-sources/service/table-tags.ts";
import { keyIn, type Named } from "../../data-sources/table-key.ts";
import { catalogDescriptions } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { listTables } from "../../findings/service/list-findings.ts";
import type { catalogTablesInput, ServedCatalogRow } from "../schema.ts";
import { inOrder } from "../table-order.ts";

type Filter = ReturnType<typeof catalogTablesInput.parse>;

/** How much of a description or comment is shown in a list. */
const shownText = 300;

/** The data sources the caller may see, each with how much is known about it: tables, documentation, and scores. */
export async function listCatalogSources(ctx: SignedIn, { projectId }: { projectId?: number | undefined }) {
  const { sources, rows, known } = await loadRows(ctx, { projectId });
  const ownRows = Map.groupBy(rows, ({ dataSourceId }) => dataSourceId);
  return {
    items: sources.map(({ quality, ...source }) => {
      const own = ownRows.get(source.id) ?? [];
      const bySchema = Map.groupBy(own, ({ schemaName }) => schemaName);
      return {
        ...source,
        readAt: known.get(source.id)?.readAt ?? null,
        schemas: [...bySchema].map(([schemaName, tables]) => ({ schemaName, tableCount: tables.length })),
        tableCount: own.length,
        tags: [...new Set(own.flatMap(({ tags }) => tags))].sort(),
        documentedCount: own.filter(isDocumented).length,
        averageScore: quality?.measured.averageScore ?? null,
        scoredCount: quality?.measured.tableCount ?? 0,
        healthyCount: quality?.measured.healthyTables ?? 0,
        outageCount: quality?.measured.outageTables ?? 0,
        activeContractCount: quality?.activeContractCount ?? 0,
        watchedCount: own.filter(({ contractCount }) => contractCount > 0).length,
        onlyFindingsCount: own.filter(
          ({ contractCount, openFindings }) => contractCount === 0 && openFindings > 0,
        ).length,
      };
    }),
  };
}

/** A page of the tables the caller may see that match the filters, as their schemas were last read. */
export async function listCatalogTables(ctx: SignedIn, filter: Filter) {
  const { page, pageSize } = filter;
  const { rows } = await loadRows(ctx, filter);
  const found = inOrder(
    rows.filter((row) => fits(row, filter)),
    filter.sortBy,
    filter.sortDirection,
  );
  const shown = found.slice(page * pageSize, (page + 1) * pageSize);
  const histories = await historiesOf(shown.flatMap(({ scored }) => scored ?? []));
  const courseOf = (scored: Row["scored"]) =>
    (scored && histories.get(scoreKey(scored)))?.map((each) => (each.couldNotEvaluate ? null : each.score)) ??
    [];
  return {
    items: shown.map(({ scored, ...row }) => ({
      ...row,
      course: courseOf(scored),
      description: beginning(row.description),
      comment: beginning(row.comment),
    })),
    page,
    pageSize,
    totalCount: found.length,
  };
}

/** Of all tables, nothing is loaded that only a page of them shows; the name is the one that its score has. */
type Row = Omit<ServedCatalogRow, "course"> & { scored: WatchedTable | null };

const isDocumented = ({ description, comment }: Row) => description !== null || Boolean(comment);

function fits(row: Row, { schemaName, search = "", kind, documented, watched, tag }: Filter): boolean {
  if (schemaName !== undefined && row.schemaName !== schemaName) return false;
  if (kind !== undefined && row.kind !== kind) return false;
  if (tag !== undefined && !row.tags.includes(tag)) return false;
  if (documented !== undefined && isDocumented(row) !== (documented === "yes")) return false;
  if (watched !== undefined && row.contractCount > 0 !== (watched === "yes")) return false;
  const text =
    `${row.schemaName}.${row.tableName} ${row.description ?? ""} ${row.comment ?? ""} ${row.tags.join(" ")}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function beginning(text: string | null): string | null {
  return text !== null && text.length > shownText ? `${text.slice(0, shownText).toWellFormed()}…` : text;
}

/** All tables of the given data sources, in a fixed number of statements. */
async function loadRows(
  ctx: SignedIn,
  { projectId, dataSourceId }: { projectId?: number | undefined; dataSourceId?: number | undefined },
) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const sources = visible.filter(({ id, kind }) => id === (dataSourceId ?? id) && isDatabaseKind(kind));
  const ids = sources.map(({ id }) => id);
  const [known, quality, described, found, tagsOf] = await Promise.all([
    listKnownTables(ids),
    getOverview(ctx, { projectId, dataSourceId, historiesUpTo: 0 }),
    loadDescribed(sources),
    listTables(ctx, { projectId, dataSourceId }),
    loadTags(db, ids),
  ]);
  const withQuality = sources.map(({ id, name, kind, projectId }) => ({
    ...{ id, name, kind, projectId },
    quality: quality.items.find((each) => each.dataSourceId === id),
  }));
  const rows = withQuality.flatMap(({ id, name, kind, quality }) => {
    const keyOf = (table: Named) => keyIn(kind, table);
    const scores = new Map(quality?.tables.map((score) => [keyOf(score), score]));
    const openFindings = new Map(
      found.items
        .filter((table) => table.dataSourceId === id)
        .map((table) => [keyOf(table), table.openCount]),
    );
    const waiting = new Map(quality?.unevaluated.map((table) => [keyOf(table), table]));
    return (known.get(id)?.tables ?? []).map((table): Row => {
      const score = scores.get(keyOf(table));
      const watching = score ?? waiting.get(keyOf(table));
      const words = described.get(`${id} ${keyOf(table)}`);
      return {
        ...{ dataSourceId: id, dataSourceName: name, ...table },
        description: words?.description ?? null,
        describedColumns: words?.columns ?? 0,
        tags: [...tagsOf({ dataSourceId: id, ...table })],
        score: score?.measured?.score ?? null,
        previousScore: score?.measured?.previousScore ?? null,
        trend: score?.measured?.trend ?? null,
        outage: score?.outage ?? null,
        scored: score ? { dataSourceId: id, schemaName: score.schemaName, tableName: score.tableName } : null,
        contracts: watching?.contracts ?? [],
        contractCount: watching?.contractCount ?? 0,
        openFindings: openFindings.get(keyOf(table)) ?? 0,
      };
    });
  });
  return { sources: withQuality, rows, known };
}

/** Each table's description, and its number of described columns, by data source and name. */
async function loadDescribed(sources: readonly { id: number; kind: Kind }[]) {
  const kindOf = new Map(sources.map(({ id, kind }) => [id, kind]));
  const { dataSourceId, schemaName, tableName, columnName, description } = catalogDescriptions;
  const rows = await db
    .select({
      dataSourceId,
      schemaName,
      tableName,
      columns: count(columnName),
      description: sql<string | null>`max(${description}) filter (where ${isNull(columnName)})`,
    })
    .from(catalogDescriptions)
    .where(inArray(dataSourceId, [...kindOf.keys()]))
    .groupBy(dataSourceId, schemaName, tableName);
  return new Map(
    rows.flatMap((row) => {
      const kind = kindOf.get(row.dataSourceId);
      return kind ? [[`${row.dataSourceId} ${keyIn(kind, row)}`, row] as const] : [];
    }),
  );
}
