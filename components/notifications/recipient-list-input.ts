import { createLoader, type inferParserType } from "nuqs/server";
import { sortsOf } from "@/server/lists/sorts.ts";
import { listInput, listParameters } from "../ui/list-input.ts";

/** Filters of the list of recipients, in the URL, in addition to the project. */
export const recipientParameters = listParameters(sortsOf.recipients);

export const loadRecipientFilters = createLoader(recipientParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const recipientsInput = (
  project: { projectId?: number },
  filters: inferParserType<typeof recipientParameters>,
) => ({ ...project, ...listInput(filters) });
