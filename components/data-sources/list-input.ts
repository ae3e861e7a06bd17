import { createLoader, type inferParserType } from "nuqs/server";
import { sortsOf } from "@/server/lists/sorts.ts";
import { listInput, listParameters } from "../ui/list-input.ts";

/** Filters of the list of data sources, in the URL, in addition to the project. */
export const sourceParameters = listParameters(sortsOf.dataSources);

export const loadSourceFilters = createLoader(sourceParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const sourcesInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof sourceParameters>,
) => ({ ...project, ...listInput(filters) });
