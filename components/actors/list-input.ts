import { createLoader, type inferParserType } from "nuqs/server";
import { listInput, listParameters } from "@/components/ui/list-input.ts";
import { sortsOf } from "@/server/lists/sorts.ts";

/** Filters of the list of actors, in the URL, in addition to the project. */
export const actorListParameters = listParameters(sortsOf.actors);

export const loadActorFilters = createLoader(actorListParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const actorsInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof actorListParameters>,
) => ({ ...project, ...listInput(filters) });
