import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { directionInput, isId, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import type { ContractSort, ContractState } from "@/server/data-quality/schema.ts";

export const contractsPerPage = 50;

export const stateNames = ["below", "met", "unreachable", "waiting", "disabled", "silenced"] as const;
export type StateName = (typeof stateNames)[number];
const orders = ["name", "target", "score", "next"] as const;

/** Filters of the contract list, in the URL. */
export const contractParameters = {
  source: parseAsInteger,
  /** A user ID, or "mine". */
  owner: parseAsString,
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(stateNames),
  sort: parseAsStringLiteral(orders).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
  ...pageParameter,
};

export const loadContractFilters = createLoader(contractParameters);

const states: Record<StateName, ContractState> = {
  below: "Below",
  met: "Met",
  unreachable: "Unreachable",
  waiting: "Waiting",
  disabled: "Disabled",
  silenced: "Silenced",
};
const sorts: Record<(typeof orders)[number], ContractSort> = {
  name: "Name",
  target: "Target",
  score: "Score",
  next: "NextRun",
};

/** The search procedure's input; invalid values in the URL are ignored. A prefetch must use the same. */
export function contractListInput(
  inProject: { projectId?: number },
  { source, owner, q, state, sort, direction, page }: inferParserType<typeof contractParameters>,
  /** The signed-in user. */
  myId: number,
) {
  const ownerId = owner === "mine" ? myId : Number(owner ?? Number.NaN);
  return {
    ...inProject,
    ...(isId(source) && { dataSourceId: source }),
    ...(isId(ownerId) && { ownerId }),
    ...(state !== null && { state: states[state] }),
    ...searchInput(q),
    sortBy: sorts[sort],
    ...directionInput(direction),
    ...pageInput(page, contractsPerPage),
  };
}
