import { createLoader, type inferParserType } from "nuqs/server";
import { listInput, listParameters } from "@/components/ui/list-input.ts";
import { sortsOf } from "@/server/lists/sorts.ts";

/** Filters of the list of maintenance windows, in the URL, in addition to the project. */
export const windowParameters = listParameters(sortsOf.windows);

export const loadWindowFilters = createLoader(windowParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const windowsInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof windowParameters>,
) => ({ ...project, ...listInput(filters) });
