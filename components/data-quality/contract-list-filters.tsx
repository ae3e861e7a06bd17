"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { ListFilters } from "@/components/ui/use-list-filters.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { type ContractState, contractOrders, contractStates } from "./contract-rows.ts";
import { SourceFilter } from "./source-filter.tsx";

/** Filters of the contract list, in the URL. */
export const contractParameters = {
  source: parseAsInteger,
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(contractStates),
  sort: parseAsStringLiteral(contractOrders).withDefault("name"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
};

const states: { value: ContractState; label: string }[] = [
  { value: "below", label: "Below threshold" },
  { value: "met", label: "Threshold met" },
  { value: "unreachable", label: "Could not evaluate" },
  { value: "waiting", label: "Not evaluated yet" },
  { value: "disabled", label: "Disabled" },
];

export function ContractListFilters({
  contracts,
  list: { filters, set },
}: {
  contracts: readonly Contract[];
  list: ListFilters<typeof contractParameters>;
}) {
  const sources = new Map(contracts.map((each) => [each.dataSourceId, each.dataSourceName]));
  return (
    <>
      <FilterSelect
        label="State"
        any="Any state"
        className="w-full sm:w-40"
        value={filters.state}
        onChange={(state) => set({ state })}
        options={states}
      />
      <SourceFilter
        sources={[...sources].map(([id, name]) => ({ id, name }))}
        value={filters.source}
        onChange={(source) => set({ source })}
      />
      <SearchInput label="Search contracts" value={filters.q} onValueChange={(q) => set({ q })} />
    </>
  );
}
