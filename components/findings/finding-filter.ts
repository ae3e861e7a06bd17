import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { isId, pageInput, pageParameter } from "@/components/ui/list-input.ts";
import { findingKinds, findingStatuses } from "@/server/findings/kinds.ts";

export const findingsPerPage = 50;

/** How sure a finding must be to be listed, besides what the service shows by itself. */
export const surenessFilters = ["any", "possible", "very"] as const;

const leastConfidence: Record<(typeof surenessFilters)[number], number> = {
  any: 0,
  possible: 0.5,
  very: 0.9,
};

/** Which findings are listed, in the address. Open ones, unless it says otherwise. */
export const findingParameters = {
  source: parseAsInteger,
  schema: parseAsString,
  table: parseAsString,
  kind: parseAsStringLiteral(findingKinds),
  status: parseAsStringLiteral([...findingStatuses.filter((status) => status !== "Open"), "all"] as const),
  sure: parseAsStringLiteral(surenessFilters),
  ...pageParameter,
};

export const loadFindingFilters = createLoader(findingParameters);

export type FindingFilters = inferParserType<typeof findingParameters>;

/** Whose scans and tables the page speaks of. What an address says in error is left out. */
export function ofSources(inProject: { projectId?: number }, { source }: Pick<FindingFilters, "source">) {
  return { ...inProject, ...(isId(source) && { dataSourceId: source }) };
}

/** What the list asks the service for, on the server and in the browser alike: a prefetch must ask the same. */
export function findingListInput(inProject: { projectId?: number }, filters: FindingFilters) {
  const { schema, table, kind, status, sure, page } = filters;
  return {
    ...ofSources(inProject, filters),
    ...(schema && { schemaName: schema.slice(0, 128) }),
    ...(table && { tableName: table.slice(0, 128) }),
    ...(kind && { kind }),
    ...(status !== "all" && { status: status ?? ("Open" as const) }),
    ...(sure && { minConfidence: leastConfidence[sure] }),
    sortBy: "Table" as const,
    ...pageInput(page, findingsPerPage),
  };
}
