"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { ListFilters } from "@/components/ui/use-list-filters.ts";
import { isRest } from "@/server/data-sources/kinds.ts";
import type { contractParameters, StateName } from "./contract-list-input.ts";
import { SourceFilter } from "./source-filter.tsx";

const states: { value: StateName; label: string }[] = [
  { value: "below", label: "Below threshold" },
  { value: "met", label: "Threshold met" },
  { value: "unreachable", label: "Could not evaluate" },
  { value: "waiting", label: "Not evaluated yet" },
  { value: "disabled", label: "Disabled" },
  { value: "silenced", label: "Silenced" },
];

export function ContractListFilters({
  list: { filters, set },
}: {
  list: ListFilters<typeof contractParameters>;
}) {
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
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
        sources={items.filter(({ connection }) => !isRest(connection))}
        value={filters.source}
        onChange={(source) => set({ source })}
      />
      <FilterSelect
        label="Owner"
        any="Anyone's"
        className="sm:w-32"
        value={filters.owner}
        onChange={(owner) => set({ owner })}
        options={[{ value: "mine", label: "Mine" }]}
      />
      <SearchInput label="Search contracts" value={filters.q} onValueChange={(q) => set({ q })} />
    </>
  );
}
