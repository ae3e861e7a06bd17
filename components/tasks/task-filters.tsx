"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { SubscriptionFilter } from "@/components/subscriptions/subscription-filter.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Task } from "@/server/tasks/schema.ts";
import type { TaskFilters as Filters } from "./use-task-filters.ts";

const all = "all";

const statuses: { value: Task["status"] | typeof all; label: string }[] = [
  { value: all, label: "Open and resolved" },
  { value: "Open", label: "Open" },
  { value: "Resolved", label: "Resolved" },
];

export function TaskFilters({ filters }: { filters: Filters }) {
  const { user } = useMe();
  const mayWork = useMay("tasks:work");
  const people = trpc.tasks.assignees.useQuery(undefined, { enabled: mayWork, staleTime: 60_000 });
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id);
  const isKnown =
    filters.assignee === null ||
    filters.assignee === "mine" ||
    others.some(({ id }) => String(id) === filters.assignee);
  return (
    <>
      <Select
        aria-label="Status"
        className="w-full sm:w-44"
        value={filters.status ?? all}
        onValueChange={(status) => filters.set({ status: status === all ? null : status })}
        options={statuses}
      />
      <Combobox
        aria-label="Assignee"
        className="w-[calc(50%-0.25rem)] sm:w-40"
        value={filters.assignee ?? all}
        onValueChange={(assignee) => filters.set({ assignee: assignee === all ? null : assignee })}
        searchPlaceholder="Search people…"
        groups={[
          {
            items: [
              { value: all, label: "Anybody's" },
              { value: "mine", label: "Mine" },
              ...(isKnown || filters.assignee === null
                ? []
                : [{ value: filters.assignee, label: people.isLoading ? "…" : "Somebody else's" }]),
            ],
          },
          { items: others.map(({ id, name }) => ({ value: String(id), label: name })) },
        ]}
      />
      <SubscriptionFilter
        className="w-[calc(50%-0.25rem)] sm:w-48"
        value={filters.subscription}
        onChange={(subscription) => filters.set({ subscription })}
      />
    </>
  );
}
