"use client";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import { MailCheck, RotateCw, Send } from "@/components/ui/icons.tsx";
import { ViewsMenu } from "@/components/views/views-menu.tsx";
import { useMay } from "../auth/use-me.ts";
import { useBulk } from "../bulk/use-bulk.tsx";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { toast } from "../ui/toaster.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import { DeliverySheet } from "./delivery-sheet.tsx";
import { type ListedDelivery, useDeliveries } from "./use-deliveries.ts";

/** Notifications: what was sent to whom, and whether it arrived. */
export function DeliveriesPage() {
  const { href } = useProject();
  const { list, deliveries } = useDeliveries();
  const { retry, retrying } = useRetry();
  const mayRetry = useMay("deliveries:retry");
  const [opened, setOpened] = useQueryState("delivery", parseAsInteger.withOptions({ history: "push" }));
  const utils = trpc.useUtils();
  const bulk = useBulk({
    input: list.input,
    things: ["delivery", "deliveries"],
    total: deliveries.totalCount,
    loadIds: async (most) => {
      const all = await utils.notifications.list.fetch({ ...list.input, page: 0, pageSize: most });
      return all.items.map(({ id }) => id);
    },
  });
  const columns: Columns = [
    { title: "Status", from: "sm" },
    { title: "Notification" },
    { title: "Recipient", from: "sm", sort: list.sortBy("recipient") },
    { title: "Attempts", numeric: true, from: "md", sort: list.sortBy("attempts", "desc") },
    { title: "Queued", from: "sm", sort: list.sortBy("queued", "desc") },
    { title: "Sent", from: "lg" },
    actionsColumn("sm"),
  ];
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
        selection={
          mayRetry
            ? {
                of: bulk.selection,
                nameOf: ({ subject, recipient }) => `${subject}, to ${recipient.name}`,
                bar: bulk.barWith(
                  <Button
                    icon={RotateCw}
                    pending={bulk.isActing}
                    onClick={() =>
                      void bulk.act("Queued again:", (ids) =>
                        utils.client.notifications.retryMany.mutate({ ids }),
                      )
                    }
                  >
                    Retry
                  </Button>,
                ),
              }
            : undefined
        }
        notices={bulk.outcome}
        keyOf={({ id }) => id}
        onOpen={open}
        filters={<DeliveryFilters list={list} />}
        actions={<ViewsMenu page="deliveries" />}
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
