import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { directionInput, isId, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";

export const queriesPerPage = 50;

/** Filters of the query list, in the URL. */
export const queryParameters = {
  folder: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(["name", "changed"]).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]),
  ...pageParameter,
};

export const loadQueryFilters = createLoader(queryParameters);

/** The list procedure's input; invalid values in the URL are ignored. */
export function queryListInput(
  project: { projectId?: number },
  { folder, q, sort, direction, page }: inferParserType<typeof queryParameters>,
) {
  return {
    ...project,
    ...(isId(folder) && { folderId: folder }),
    ...searchInput(q),
    sortBy: sort === "name" ? ("Name" as const) : ("Changed" as const),
    ...directionInput(direction),
    ...pageInput(page, queriesPerPage),
  };
}
