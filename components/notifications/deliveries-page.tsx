"use client";
import { MailCheck, Send } from "lucide-react";
import { useState } from "react";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatNumber } from "../ui/format.ts";
import { NewestFirst } from "../ui/newest-first.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Th } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryRow } from "./delivery-row.tsx";
import { type Deliveries, type ListedDelivery, useDeliveries } from "./use-deliveries.ts";

/** The ledger: what was to be told to whom, and whether it arrived. */
export function DeliveriesPage() {
  const deliveries = useDeliveries();
  const { ledger, filters, isFiltered, isChanging, setFilters, setPage } = deliveries;
  const { items, totalCount } = ledger;
  const keys = useRowKeys({ count: items.length });
  const { retry, retrying } = useRetry();
  const mayRetry = useMay("deliveries:retry");
  return (
    <>
      <PageHeader
        title="Deliveries"
        count={totalCount > 0 ? formatNumber(totalCount) : undefined}
        filters={
          (totalCount > 0 || isFiltered) && <DeliveryFilters filters={filters} setFilters={setFilters} />
        }
      />
      {items.length === 0 ? (
        <NothingShown {...deliveries} />
      ) : (
        <NewestFirst
          label="Deliveries"
          head={
            <>
              <Th className="hidden sm:table-cell">Status</Th>
              <Th>Notification</Th>
              <Th className="hidden sm:table-cell">Recipient</Th>
              <Th numeric className="hidden md:table-cell">
                Attempts
              </Th>
              <Th className="hidden sm:table-cell">Queued</Th>
              <Th className="hidden lg:table-cell">Sent</Th>
              <Th className="hidden sm:table-cell">
                <span className="sr-only">Actions</span>
              </Th>
            </>
          }
          isChanging={isChanging}
          page={ledger}
          setPage={setPage}
        >
          {items.map((delivery, index) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              retry={mayRetry ? () => void retry(delivery) : undefined}
              isRetrying={retrying === delivery.id}
              {...keys.row(index)}
            />
          ))}
        </NewestFirst>
      )}
    </>
  );
}

function NothingShown({ ledger, isFiltered, setPage, showAll }: Deliveries) {
  const { href } = useProject();
  if (ledger.totalCount > 0)
    return (
      <Empty
        title="The ledger does not go back as far"
        action={<Button onClick={() => setPage(0)}>Show the newest</Button>}
      />
    );
  if (isFiltered)
    return (
      <Empty title="No delivery fits" action={<Button onClick={showAll}>Show all</Button>}>
        None has all of what the filters ask for.
      </Empty>
    );
  return (
    <Empty
      icon={MailCheck}
      title="Nothing has been sent yet"
      action={
        <ButtonLink href={href("/recipients")} icon={Send}>
          Recipients
        </ButtonLink>
      }
    >
      Each notification stands here once for every recipient: whether it arrived, why not, and when it is
      tried again. A recipient can be tried with a test message.
    </Empty>
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
      toast.success(`Queued for ${recipient.name} again`);
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      await utils.notifications.invalidate();
      setRetrying(null);
    }
  }
  return { retry, retrying };
}
