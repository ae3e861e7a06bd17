import { createLoader, type inferParserType } from "nuqs/server";
import { listInput, listParameters } from "@/components/ui/list-input.ts";
import { sortsOf } from "@/server/lists/sorts.ts";

/** Filters of the list of incident policies, in the URL, in addition to the project. */
export const policyParameters = listParameters(sortsOf.policies);

export const loadPolicyFilters = createLoader(policyParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const policiesInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof policyParameters>,
) => ({ ...project, ...listInput(filters) });
