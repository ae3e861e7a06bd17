import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { tableFilters, tableOrders } from "@/server/catalog/schema.ts";

export const tablesPerPage = 100;

/** Filters of the catalog, in the URL. */
export const catalogParameters = {
  q: parseAsString.withDefault(""),
  source: parseAsInteger,
  schema: parseAsString,
  kind: parseAsStringLiteral(tableFilters.kind),
  documented: parseAsStringLiteral(tableFilters.documented),
  watched: parseAsStringLiteral(tableFilters.watched),
  tag: parseAsString,
  sort: parseAsStringLiteral(tableOrders).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export const loadCatalogFilters = createLoader(catalogParameters);

export type CatalogFilters = Awaited<ReturnType<typeof loadCatalogFilters>>;

/** The list procedure's input; invalid values in the URL are ignored. */
export function catalogInput(
  { projectId, dataSourceId }: { projectId?: number; dataSourceId?: number },
  { q, source, schema, kind, documented, watched, tag, sort, direction, page }: CatalogFilters,
) {
  const search = q.trim().slice(0, 200);
  const chosen = dataSourceId ?? (source !== null && source >= 1 && source <= 2_147_483_647 ? source : null);
  return {
    ...(projectId !== undefined && { projectId }),
    ...(chosen !== null && { dataSourceId: chosen }),
    ...(schema && { schemaName: schema.slice(0, 128) }),
    ...(search !== "" && { search }),
    ...(kind && { kind }),
    ...(documented && { documented }),
    ...(watched && { watched }),
    ...(tag && { tag: tag.slice(0, 50) }),
    ...{ sortBy: sort, sortDirection: direction },
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: tablesPerPage,
  };
}
