"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { useDebounced } from "@/components/ui/use-paused.ts";

const all = "all";
const offered = 100;

/** Filters by one subscription, or none; searched on the server, since there may be thousands. */
export function SubscriptionFilter({
  value,
  onChange,
  className,
}: {
  value: number | null;
  onChange: (subscriptionId: number | null) => void;
  className: string;
}) {
  const [typed, setTyped] = useState("");
  const search = useDebounced(typed.trim().slice(0, 200));
  const { data, isLoading } = trpc.subscriptions.list.useQuery(
    { ...useProjectInput(), ...(search !== "" && { search }), sortBy: "Name", pageSize: offered },
    { staleTime: 60_000, placeholderData: keepPreviousData },
  );
  const items = data?.items ?? [];
  const isAmong = value === null || items.some(({ id }) => id === value);
  const chosen = trpc.subscriptions.get.useQuery(
    { id: value ?? 0 },
    { enabled: !isAmong && data !== undefined, staleTime: 60_000, retry: false },
  );
  const isPending = isLoading || (!isAmong && chosen.isFetching);
  return (
    <Combobox
      aria-label="Subscription"
      className={className}
      value={value === null ? all : String(value)}
      onValueChange={(next) => onChange(next === all ? null : Number(next))}
      onSearch={setTyped}
      loading={isLoading}
      searchPlaceholder="Search subscriptions…"
      groups={[
        {
          items: [
            { value: all, label: "All subscriptions" },
            ...(isAmong
              ? []
              : [
                  {
                    value: String(value),
                    label: chosen.data?.title ?? (isPending ? "…" : "Not found"),
                    ...(chosen.data && { hint: `#${value}` }),
                  },
                ]),
          ],
        },
        {
          found: { more: (data?.totalCount ?? 0) - items.length },
          items: items.map(({ id, title }) => ({ value: String(id), label: title, hint: `#${id}` })),
        },
      ]}
    />
  );
}
