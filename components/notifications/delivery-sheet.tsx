"use client";
import { Link } from "@/components/ui/link.tsx";
import { useMay } from "../auth/use-me.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { factsOf, messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Fact } from "../ui/facts.tsx";
import { formatNumber } from "../ui/format.ts";
import { RotateCw } from "../ui/icons.tsx";
import { MaskedRows } from "../ui/masked-rows.tsx";
import { Moment } from "../ui/moment.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Status } from "../ui/status.tsx";
import { toast } from "../ui/toaster.tsx";
import { causeWords, deliveryState } from "./delivery-state.ts";
import { recipientTypes } from "./recipient-types.ts";

/** A delivery: what was sent, to whom, and what the receiver answered. */
export function DeliverySheet({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, isFetching, refetch } = trpc.notifications.get.useQuery(
    { id },
    // Until it has ended, as the list.
    { refetchInterval: ({ state }) => (state.data?.status === "Queued" ? 2000 : false) },
  );
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} title={data?.subject ?? "Delivery"}>
      {data ? (
        <Content delivery={data} />
      ) : error ? (
        <ErrorState
          title={
            factsOf(error).code === "NOT_FOUND" ? "Delivery not found" : "The delivery could not be loaded"
          }
          message={factsOf(error).message}
          requestId={factsOf(error).requestId}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton className="h-48 w-full" />
      )}
    </Sheet>
  );
}

type Detail = Outputs["notifications"]["get"];

/** For a webhook whose receiver has lost what it got. */
function SendAgain({ delivery: { id, recipient } }: { delivery: Detail }) {
  const may = useMay("deliveries:retry");
  const utils = trpc.useUtils();
  const again = trpc.notifications.retry.useMutation({
    onSuccess: () => void toast.success(`Queued again for “${recipient.name}”`),
    onError: (error) => void toast.error(messageOf(error)),
    onSettled: () => utils.notifications.invalidate(),
  });
  if (!may) return null;
  return (
    <Button
      size="sm"
      icon={RotateCw}
      className="self-start"
      pending={again.isPending}
      onClick={() => again.mutate({ id })}
    >
      Send again
    </Button>
  );
}

function Content({ delivery }: { delivery: Detail }) {
  const { status, message, recipient, channel, attempts, createdAt, sentAt, cause, link, attachment } =
    delivery;
  const { kind, word } = deliveryState(delivery);
  const { title, summary, facts, groups = [], table, note } = message;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-b pb-3">
        <Fact label="Status">
          <Status kind={kind}>{word}</Status>
        </Fact>
        <Fact label="To">
          {recipient.name} <span className="text-ink-3">by {recipientTypes[channel].label}</span>
        </Fact>
        <Fact label="Queued">
          <Moment at={createdAt} />
        </Fact>
        <Fact label="Sent">
          <Moment at={sentAt} fallback={status === "Failed" ? "never" : "not yet"} />
        </Fact>
      </dl>
      <section aria-labelledby="answer" className="flex min-w-0 flex-col gap-1">
        <h3 id="answer" className="text-sm font-semibold">
          Answer
        </h3>
        <Answer delivery={delivery} />
        {attempts > 1 && <p className="text-xs text-ink-3">After {formatNumber(attempts)} attempts.</p>}
        {status === "Sent" && channel === "Webhook" && <SendAgain delivery={delivery} />}
      </section>
      <section aria-labelledby="message" className="flex min-w-0 flex-col gap-3">
        <h3 id="message" className="text-sm font-semibold">
          Message <span className="pl-1 font-normal text-ink-3">{causeWords[cause.kind]}</span>
        </h3>
        <div className="flex min-w-0 flex-col gap-2 rounded-md border px-3 py-2">
          <p className="font-medium break-words">{title}</p>
          <p className="break-words whitespace-pre-line">{summary}</p>
          <FactList facts={facts} />
          {groups.map((group) => (
            <FactGroup key={`${group.title} ${group.facts.map(({ value }) => value).join()}`} {...group} />
          ))}
          {table && table.rows.length > 0 && (
            <MaskedRows
              title="Rows"
              extent={
                table.rows.length < table.rowCount
                  ? `${formatNumber(table.rows.length)} of ${formatNumber(table.rowCount)}`
                  : formatNumber(table.rowCount)
              }
              label="Rows of the message"
              columns={table.columns.map((name) => ({ name, type: "" }))}
              rows={table.rows}
              maskedColumns={message.maskedColumns}
            />
          )}
          {note && <p className="text-xs text-ink-3">{note}</p>}
        </div>
        {message.maskedColumns.length > 0 && (
          <p className="text-xs text-ink-3">
            The message itself had the real values; here they are masked for everyone.
          </p>
        )}
        {attachment && (
          <p className="text-xs text-ink-3">
            Attached: {attachment.name}
            {!attachment.isKept && ", which is no longer kept"}
          </p>
        )}
        {link && (
          <Link href={link.path} className="self-start text-accent hover:underline">
            {link.label}
          </Link>
        )}
      </section>
    </div>
  );
}

/** What the receiver said at the last attempt. */
function Answer({ delivery: { status, answer, lastError } }: { delivery: Detail }) {
  if (answer !== null && status === "Sent")
    return <p className="font-mono text-xs leading-5 break-words">{answer}</p>;
  if (lastError !== null)
    return <p className="font-mono text-xs leading-5 break-words text-critical">{lastError}</p>;
  return (
    <p className="text-ink-2">
      {status === "Sent" ? "Accepted; the answer was not stored." : "Not sent yet."}
    </p>
  );
}

function FactGroup({ title, facts }: { title: string; facts: Detail["message"]["facts"] }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 border-t pt-2">
      <p className="font-medium break-words">{title}</p>
      <FactList facts={facts} />
    </div>
  );
}

function FactList({ facts }: { facts: Detail["message"]["facts"] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs leading-5">
      {facts.map(({ label, value }) => (
        <div key={`${label} ${value}`} className="contents">
          <dt className="text-ink-3">{label}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
