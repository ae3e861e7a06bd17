"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { SubscriptionFilter } from "@/components/subscriptions/subscription-filter.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import type { ListFilters } from "@/components/ui/use-list-filters.ts";
import { taskStatuses } from "@/server/tasks/kinds.ts";
import { shownFilters, type taskParameters } from "./list-input.ts";

const all = "all";

export function TaskFilters({ list }: { list: ListFilters<typeof taskParameters> }) {
  const filters = shownFilters(list.filters);
  /** A first choice keeps the rest of what is shown by default. */
  const set: typeof list.set = (change) =>
    list.set(filters.isDefault ? { status: filters.status, assignee: filters.assignee, ...change } : change);
  const { user } = useMe();
  const mayWork = useMay("tasks:work");
  const people = trpc.tasks.assignees.useQuery(undefined, { enabled: mayWork, staleTime: 60_000 });
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id);
  const isKnown =
    filters.assignee === null ||
    filters.assignee === "mine" ||
    filters.assignee === "nobody" ||
    others.some(({ id }) => String(id) === filters.assignee);
  return (
    <>
      <FilterSelect
        label="Status"
        any="Open and resolved"
        className="w-full sm:w-44"
        value={filters.status === "all" ? null : filters.status}
        onChange={(status) => set({ status: status ?? "all" })}
        options={taskStatuses.map((status) => ({ value: status, label: status }))}
      />
      <Combobox
        aria-label="Assignee"
        className="w-[calc(50%-0.25rem)] sm:w-40"
        value={filters.assignee ?? all}
        onValueChange={(assignee) =>
          // Without any filter, the list would be mine again.
          set({ status: filters.status ?? "all", assignee: assignee === all ? null : assignee })
        }
        searchPlaceholder="Search people…"
        groups={[
          {
            items: [
              { value: all, label: "Anyone's" },
              { value: "mine", label: "Mine" },
              { value: "nobody", label: "Nobody's" },
              ...(isKnown || filters.assignee === null
                ? []
                : [{ value: filters.assignee, label: people.isLoading ? "…" : "Someone else's" }]),
            ],
          },
          { items: others.map(({ id, name }) => ({ value: String(id), label: name })) },
        ]}
      />
      <SubscriptionFilter
        className="w-[calc(50%-0.25rem)] sm:w-48"
        value={filters.subscription}
        onChange={(subscription) => set({ status: filters.status ?? "all", subscription })}
      />
      <SearchInput
        label="Search tasks"
        className="sm:w-44"
        value={filters.q}
        onValueChange={(q) => set({ status: filters.status ?? "all", q })}
      />
    </>
  );
}
