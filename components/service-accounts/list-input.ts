import { createLoader, type inferParserType } from "nuqs/server";
import { sortsOf } from "@/server/lists/sorts.ts";
import { listInput, listParameters } from "../ui/list-input.ts";
import { enabledInput, enabledParameter } from "../users/enabled-parameter.ts";

/** Filters of the list of service accounts, in the URL. */
export const accountParameters = { ...listParameters(sortsOf.serviceAccounts), ...enabledParameter };

export const loadAccountFilters = createLoader(accountParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const accountsInput = ({ state, ...list }: inferParserType<typeof accountParameters>) => ({
  ...listInput(list),
  ...enabledInput(state),
});
