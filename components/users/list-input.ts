import { createLoader, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { roles } from "@/server/auth/kinds.ts";
import { sortsOf } from "@/server/lists/sorts.ts";
import { listInput, listParameters } from "../ui/list-input.ts";
import { enabledInput, enabledParameter } from "./enabled-parameter.ts";

/** Filters of the list of users, in the URL. */
export const userParameters = {
  ...listParameters(sortsOf.users),
  role: parseAsStringLiteral(roles),
  ...enabledParameter,
};

export const loadUserFilters = createLoader(userParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export const usersInput = ({ role, state, ...list }: inferParserType<typeof userParameters>) => ({
  ...listInput(list),
  ...(role !== null && { role }),
  ...enabledInput(state),
});
