"use client";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { ContractState } from "./contract-rows.ts";
import { SourceFilter } from "./source-filter.tsx";
import type { ContractFilters } from "./use-contract-filters.ts";

const states: { value: ContractState | "all"; label: string }[] = [
  { value: "all", label: "Any state" },
  { value: "below", label: "Below threshold" },
  { value: "met", label: "Threshold met" },
  { value: "unreachable", label: "Unreachable" },
  { value: "waiting", label: "Not evaluated" },
  { value: "disabled", label: "Disabled" },
];

export function ContractListFilters({
  contracts,
  filters,
}: {
  contracts: readonly Contract[];
  filters: ContractFilters;
}) {
  const sources = new Map(contracts.map((each) => [each.dataSourceId, each.dataSourceName]));
  return (
    <>
      <Select
        aria-label="State"
        className="w-full sm:w-40"
        value={filters.state ?? "all"}
        onValueChange={(state) => void filters.set({ state: state === "all" ? null : state })}
        options={states}
      />
      <SourceFilter
        sources={[...sources].map(([id, name]) => ({ id, name }))}
        value={filters.source}
        onChange={(source) => void filters.set({ source })}
      />
      <SearchInput
        label="Search contracts"
        value={filters.q}
        onValueChange={(q) => void filters.set({ q: q || null })}
      />
    </>
  );
}
