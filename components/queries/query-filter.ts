import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";

export const queriesPerPage = 50;

/** Filters of the query list, in the URL. */
export const queryParameters = {
  folder: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(["name", "changed"]).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export const loadQueryFilters = createLoader(queryParameters);

/** The list procedure's input; invalid values in the URL are ignored. */
export function queryListInput(
  project: { projectId?: number },
  { folder, q, sort, direction, page }: inferParserType<typeof queryParameters>,
) {
  const isFolder = folder !== null && folder >= 1 && folder <= 2_147_483_647;
  const search = q.trim().slice(0, 200);
  return {
    ...project,
    ...(isFolder && { folderId: folder }),
    ...(search !== "" && { search }),
    sortBy: sort === "name" ? ("Name" as const) : ("Changed" as const),
    ...(direction !== null && { sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const) }),
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: queriesPerPage,
  };
}
