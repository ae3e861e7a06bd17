import { createLoader, type inferParserType } from "nuqs/server";
import { listInput, listParameters } from "@/components/ui/list-input.ts";
import { sortsOf } from "@/server/lists/sorts.ts";

/** Filters of the list of rule templates, in the URL, in addition to the project. */
export const templateParameters = listParameters(sortsOf.templates);

export const loadTemplateFilters = createLoader(templateParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const templatesInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof templateParameters>,
) => ({ ...project, ...listInput(filters) });
