"use client";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import { MailCheck, Send } from "@/components/ui/icons.tsx";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { ButtonLink } from "../ui/button.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { toast } from "../ui/toaster.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { type ListedDelivery, useDeliveries } from "./use-deliveries.ts";

const columns: Columns = [
  { title: "Status", from: "sm" },
  { title: "Notification" },
  { title: "Recipient", from: "sm" },
  { title: "Attempts", numeric: true, from: "md" },
  { title: "Queued", from: "sm" },
  { title: "Sent", from: "lg" },
  actionsColumn("sm"),
];

/** Notifications: what was sent to whom, and whether it arrived. */
export function DeliveriesPage() {
  const { href } = useProject();
  const { list, deliveries } = useDeliveries();
  const { retry, retrying } = useRetry();
  const mayRetry = useMay("deliveries:retry");
  const [opened, setOpened] = useQueryState("delivery", parseAsInteger.withOptions({ history: "push" }));
  const open = ({ id }: { id: number }) => void setOpened(id);
  return (
    <>
      <ListPage
        title="Deliveries"
        things="deliveries"
        columns={columns}
        rows={deliveries.items}
        page={deliveries}
        isNewestFirst
        list={list}
        keyOf={({ id }) => id}
        onOpen={open}
        filters={<DeliveryFilters list={list} />}
        empty={{
          icon: MailCheck,
          title: "No deliveries yet",
          action: (
            <ButtonLink href={href("/recipients")} icon={Send}>
              Recipients
            </ButtonLink>
          ),
          children:
            "Each notification is listed once per recipient: whether it arrived, why not, and when it is retried. Send a test message from Recipients.",
        }}
      >
        {(delivery, row) => (
          <DeliveryRow
            delivery={delivery}
            retry={mayRetry ? () => void retry(delivery) : undefined}
            isRetrying={retrying === delivery.id}
            onShow={() => open(delivery)}
            {...row}
          />
        )}
      </ListPage>
      {opened !== null && <DeliverySheet id={opened} onClose={() => void setOpened(null)} />}
    </>
  );
}

function useRetry() {
  const utils = trpc.useUtils();
  const mutation = trpc.notifications.retry.useMutation();
  const [retrying, setRetrying] = useState<number | null>(null);
  async function retry({ id, recipient }: ListedDelivery) {
    setRetrying(id);
    try {
      await mutation.mutateAsync({ id });
      toast.success(`Queued again for “${recipient.name}”`);
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      await utils.notifications.invalidate();
      setRetrying(null);
    }
  }
  return { retry, retrying };
}
