"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";

const all = "all";

/** One subscription, or all of them. */
export function SubscriptionFilter({
  value,
  onChange,
  className,
}: {
  value: number | null;
  onChange: (subscriptionId: number | null) => void;
  className: string;
}) {
  const { data, isLoading } = trpc.subscriptions.list.useQuery(
    { ...useProjectInput(), pageSize: 500 },
    { staleTime: 60_000 },
  );
  const items = data?.items ?? [];
  const isKnown = value === null || items.some(({ id }) => id === value);
  return (
    <Combobox
      aria-label="Subscription"
      className={className}
      value={value === null ? all : String(value)}
      onValueChange={(chosen) => onChange(chosen === all ? null : Number(chosen))}
      loading={isLoading}
      searchPlaceholder="Search subscriptions…"
      groups={[
        {
          items: [
            { value: all, label: "All subscriptions" },
            ...(isKnown ? [] : [{ value: String(value), label: isLoading ? "…" : "One that is not here" }]),
          ],
        },
        {
          items: items.map(({ id, queryName }) => ({ value: String(id), label: queryName, hint: `#${id}` })),
        },
      ]}
    />
  );
}
