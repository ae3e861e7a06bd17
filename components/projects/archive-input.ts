import { createLoader, type inferParserType, parseAsString } from "nuqs/server";
import { pageInput, pageParameter, searchInput } from "../ui/list-input.ts";

/** Filters of an archive, in the URL, in addition to the project. */
export const archiveParameters = { q: parseAsString.withDefault(""), ...pageParameter };

export const loadArchiveFilters = createLoader(archiveParameters);

/** The input of an archive's procedure, on the server and in the browser: a prefetch must use the same. */
export const archiveInput = (
  project: { projectId?: number },
  { q, page }: inferParserType<typeof archiveParameters>,
) => ({ ...project, ...searchInput(q), ...pageInput(page) });
