import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { tableFilters, tableOrders } from "@/server/catalog/schema.ts";

export const tablesPerPage = 100;

/** Which tables the catalogue lists, in the address. */
export const catalogueParameters = {
  q: parseAsString.withDefault(""),
  source: parseAsInteger,
  schema: parseAsString,
  kind: parseAsStringLiteral(tableFilters.kind),
  documented: parseAsStringLiteral(tableFilters.documented),
  watched: parseAsStringLiteral(tableFilters.watched),
  sort: parseAsStringLiteral(tableOrders).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export const loadCatalogueFilters = createLoader(catalogueParameters);

export type CatalogueFilters = Awaited<ReturnType<typeof loadCatalogueFilters>>;

/** As the service takes them; what an address says in error is left out. */
export function catalogueInput(
  { projectId, dataSourceId }: { projectId?: number; dataSourceId?: number },
  { q, source, schema, kind, documented, watched, sort, direction, page }: CatalogueFilters,
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
    ...{ sortBy: sort, sortDirection: direction },
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: tablesPerPage,
  };
}
