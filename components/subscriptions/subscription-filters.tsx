"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { Combobox } from "@/components/ui/combobox.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { ListFilters } from "@/components/ui/use-list-filters.ts";
import type { SubscriptionState, subscriptionParameters } from "./list-input.ts";
import { useAllQueries } from "./use-all-queries.ts";

const all = "all";

const states: { value: SubscriptionState; label: string }[] = [
  { value: "incident", label: "With an incident" },
  { value: "enabled", label: "Enabled" },
  { value: "disabled", label: "Disabled" },
  { value: "silenced", label: "Silenced" },
];

export function SubscriptionFilters({
  list: { filters, set },
}: {
  list: ListFilters<typeof subscriptionParameters>;
}) {
  const { queries, isLoading } = useAllQueries(useProjectInput());
  const chosen = queries.find(({ id }) => id === filters.query);
  const offered = queries.filter((query) => query.subscriptionCount > 0 || query === chosen);
  return (
    <>
      <FilterSelect
        label="State"
        any="Any state"
        className="sm:w-36"
        value={filters.state}
        onChange={(state) => set({ state })}
        options={states}
      />
      <Combobox
        aria-label="Query"
        className="w-[calc(50%-0.25rem)] sm:w-44"
        value={filters.query === null ? all : String(filters.query)}
        onValueChange={(value) => set({ query: value === all ? null : Number(value) })}
        loading={isLoading}
        searchPlaceholder="Search queries…"
        groups={[
          {
            items: [
              { value: all, label: "All queries" },
              ...(filters.query !== null && !chosen
                ? [{ value: String(filters.query), label: isLoading ? "…" : "Not found" }]
                : []),
            ],
          },
          {
            items: offered.map(({ id, name, folderPath }) => ({
              value: String(id),
              label: name,
              ...(folderPath && { hint: folderPath }),
            })),
          },
        ]}
      />
      <SearchInput
        label="Search subscriptions"
        className="sm:w-52"
        value={filters.q}
        onValueChange={(q) => set({ q })}
      />
    </>
  );
}
