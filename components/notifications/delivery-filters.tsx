"use client";
import { failingDays } from "@/server/notifications/delivery-kinds.ts";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { FilterSelect } from "../ui/filter-select.tsx";
import { X } from "../ui/icons.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import type { ListFilters } from "../ui/use-list-filters.ts";
import type { deliveryParameters } from "./delivery-filter.ts";
import { recipientTypes } from "./recipient-types.ts";

const any = "any";
const failing = "failing";

const statuses = [
  { value: "Queued", label: "Queued or retrying" },
  { value: "Sent", label: "Sent" },
  { value: "Failed", label: "Failed" },
  { value: failing, label: `Failing, last ${failingDays} days` },
] as const;

export function DeliveryFilters({
  list: { filters, set },
}: {
  list: ListFilters<typeof deliveryParameters>;
}) {
  const [{ items }] = trpc.recipients.list.useSuspenseQuery(useProjectInput());
  const { status, recipient, execution } = filters;
  const chosen = filters.failing ? failing : status;
  // A recipient from the URL stays selected even if it is no longer in the list.
  const isGone = recipient !== null && !items.some(({ id }) => id === recipient);
  return (
    <>
      <FilterSelect
        label="Status"
        any="Any status"
        className="sm:w-44"
        value={chosen}
        onChange={(value) =>
          set({ status: value === failing ? null : value, failing: value === failing || null })
        }
        options={statuses}
      />
      <Combobox
        aria-label="Recipient"
        className="w-[calc(50%-0.25rem)] sm:w-52"
        value={recipient === null ? any : String(recipient)}
        onValueChange={(value) => set({ recipient: value === any ? null : Number(value) })}
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
      <SearchInput
        label="Search deliveries"
        className="sm:w-48"
        value={filters.q}
        onValueChange={(q) => set({ q })}
      />
      {execution !== null && (
        <Button size="md" icon={X} onClick={() => set({ execution: null })}>
          Run {execution}
        </Button>
      )}
    </>
  );
}
