import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import { tableFilters, tableOrders } from "@/server/catalog/list-choices.ts";

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
  ...pageParameter,
};

export const loadCatalogFilters = createLoader(catalogParameters);

export type CatalogFilters = Awaited<ReturnType<typeof loadCatalogFilters>>;

/** The list procedure's input; invalid values in the URL are ignored. */
export function catalogInput(
  { projectId, dataSourceId }: { projectId?: number; dataSourceId?: number },
  { q, source, schema, kind, documented, watched, tag, sort, direction, page }: CatalogFilters,
) {
  const chosen = dataSourceId ?? (isId(source) ? source : null);
  return {
    ...(projectId !== undefined && { projectId }),
    ...(chosen !== null && { dataSourceId: chosen }),
    ...(schema && { schemaName: schema.slice(0, 128) }),
    ...searchInput(q),
    ...(kind && { kind }),
    ...(documented && { documented }),
    ...(watched && { watched }),
    ...(tag && { tag: tag.slice(0, 50) }),
    ...{ sortBy: sort, sortDirection: direction },
    ...pageInput(page, tablesPerPage),
  };
}
