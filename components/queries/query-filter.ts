import { createLoader, parseAsInteger, parseAsString } from "nuqs/server";

export const queriesPerPage = 50;

/** What the list of queries shows, in the address. */
export const queryParameters = {
  folder: parseAsInteger,
  q: parseAsString.withDefault(""),
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export const loadQueryFilters = createLoader(queryParameters);

/** As the service takes them; what an address says in error is left out. */
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
