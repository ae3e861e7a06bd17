"use client";
import { failingDays } from "@/server/notifications/schema.ts";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { Select } from "../ui/select.tsx";
import { recipientTypes } from "./recipient-types.ts";
import type { Deliveries } from "./use-deliveries.ts";

const any = "any";
const failing = "failing";

const statuses = [
  { value: any, label: "Any status" },
  { value: "Queued", label: "Queued or retrying" },
  { value: "Sent", label: "Sent" },
  { value: "Failed", label: "Failed" },
  { value: failing, label: `Failing, last ${failingDays} days` },
] as const;

export function DeliveryFilters({ filters, setFilters }: Pick<Deliveries, "filters" | "setFilters">) {
  const [{ items }] = trpc.recipients.list.useSuspenseQuery(useProjectInput());
  const { status, recipient } = filters;
  const chosen = filters.failing ? failing : (status ?? any);
  // What an address names stays visible as chosen, even when it is in the list no more.
  const isGone = recipient !== null && !items.some(({ id }) => id === recipient);
  return (
    <>
      <Select
        aria-label="Status"
        className="w-[calc(50%-0.25rem)] sm:w-44"
        value={chosen}
        onValueChange={(value) =>
          setFilters({
            status: value === any || value === failing ? null : value,
            failing: value === failing,
          })
        }
        options={statuses}
      />
      <Combobox
        aria-label="Recipient"
        className="w-[calc(50%-0.25rem)] sm:w-52"
        value={recipient === null ? any : String(recipient)}
        onValueChange={(value) => setFilters({ recipient: value === any ? null : Number(value) })}
        searchPlaceholder="Search recipients"
        groups={[
          {
            items: [
              { value: any, label: "Any recipient" },
              ...(isGone ? [{ value: String(recipient), label: `Recipient ${recipient}` }] : []),
            ],
          },
          {
            items: items.map(({ id, name, type }) => {
              const Icon = recipientTypes[type].icon;
              return {
                value: String(id),
                label: name,
                hint: recipientTypes[type].label,
                icon: <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />,
              };
            }),
          },
        ]}
      />
    </>
  );
}
