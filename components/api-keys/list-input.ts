import { createLoader, type inferParserType, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { keyStates } from "@/server/api-keys/state.ts";
import { sortsOf } from "@/server/lists/sorts.ts";
import { isId, listInput, listParameters } from "../ui/list-input.ts";

/** Filters of the list of API keys, in the URL. */
export const keyParameters = {
  ...listParameters(sortsOf.apiKeys),
  status: parseAsStringLiteral(keyStates),
  /** `mine`, or the ID of an owner. */
  whose: parseAsString,
};

export const loadKeyFilters = createLoader(keyParameters);

/** The input of the list's procedure, on the server and in the browser: a prefetch must use the same. */
export function keysInput(
  { status, whose, ...list }: inferParserType<typeof keyParameters>,
  /** The signed-in user. */
  myId: number,
) {
  const ownerId = whose === "mine" ? myId : Number(whose ?? Number.NaN);
  return { ...listInput(list), ...(status !== null && { status }), ...(isId(ownerId) && { ownerId }) };
}
