import { createLoader, parseAsInteger, parseAsString } from "nuqs/server";

export const queriesPerPage = 50;

/** Filters of the query list, in the URL. */
export const queryParameters = {
  folder: parseAsInteger,
  q: parseAsString.withDefault(""),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export const loadQueryFilters = createLoader(queryParameters);

/** The list procedure's input; invalid values in the URL are ignored. */
export function queryListInput(
  project: { projectId?: number },
  { folder, q, page }: { folder: number | null; q: string; page: number },
) {
  const isFolder = folder !== null && folder >= 1 && folder <= 2_147_483_647;
  const search = q.trim().slice(0, 200);
  return {
    ...project,
    ...(isFolder && { folderId: folder }),
    ...(search !== "" && { search }),
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: queriesPerPage,
  };
}
