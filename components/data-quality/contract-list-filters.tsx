"use client";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { ContractState } from "./contract-rows.ts";
import type { ContractFilters } from "./use-contract-filters.ts";

const states: { value: ContractState | "all"; label: string }[] = [
  { value: "all", label: "Any state" },
  { value: "below", label: "Below threshold" },
  { value: "met", label: "Threshold met" },
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
      <Select
        aria-label="Data source"
        className="w-full sm:w-44"
        value={filters.source === null ? "all" : String(filters.source)}
        onValueChange={(source) => void filters.set({ source: source === "all" ? null : Number(source) })}
        options={[
          { value: "all", label: "All data sources" },
          ...[...sources].map(([id, name]) => ({ value: String(id), label: name })),
        ]}
      />
      <SearchInput
        label="Search contracts"
        value={filters.q}
        onValueChange={(q) => void filters.set({ q: q || null })}
      />
    </>
  );
}
