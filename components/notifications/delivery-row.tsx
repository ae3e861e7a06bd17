"use client";
import type { ComponentProps } from "react";
import { RotateCw } from "@/components/ui/icons.tsx";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { Moment, useNow } from "../ui/moment.tsx";
import { Status } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { causeWords, deliveryState } from "./delivery-state.ts";
import { recipientTypes } from "./recipient-types.ts";
import type { ListedDelivery } from "./use-deliveries.ts";

/** One delivery: its state and why, its content, and its recipient. */
export function DeliveryRow({
  delivery,
  retry,
  isRetrying,
  onShow,
  ...row
}: {
  delivery: ListedDelivery;
  /** Omitted without permission. */
  retry?: (() => void) | undefined;
  isRetrying: boolean;
  /** Shows what was sent, and the answer. */
  onShow: () => void;
} & ComponentProps<typeof Tr>) {
  const { status, subject, cause, attempts, createdAt, sentAt } = delivery;
  const state = deliveryState(delivery);
  const canRetry = status === "Failed" && retry !== undefined;
  const retryButton = { delivery, retry, isRetrying };
  return (
    <Tr {...row}>
      <Td className="hidden py-1.5 align-top sm:table-cell">
        <Status kind={state.kind}>{state.word}</Status>
      </Td>
      <Td className="w-full max-w-0 py-1.5 align-top">
        <span className="flex items-baseline gap-2 sm:hidden">
          <Status kind={state.kind} className="text-xs">
            {state.word}
          </Status>
          <Moment at={createdAt} className="ml-auto shrink-0 text-xs text-ink-3" />
        </span>
        <span className="flex min-w-0 items-baseline gap-2">
          <button
            type="button"
            className="cursor-pointer truncate text-left font-medium hover:underline"
            title={subject}
            onClick={(event) => {
              event.stopPropagation();
              onShow();
            }}
          >
            {subject}
          </button>
          <span className="hidden shrink-0 text-xs text-ink-3 lg:inline">{causeWords[cause.kind]}</span>
        </span>
        <Reason delivery={delivery} />
        <span className="flex items-center gap-2 text-xs text-ink-2 sm:hidden">
          <Recipient delivery={delivery} />
          {attempts > 1 && <span className="shrink-0 text-ink-3">{plural(attempts, "attempt")}</span>}
          {canRetry && <RetryButton {...retryButton} className="ml-auto" />}
        </span>
      </Td>
      <Td className="hidden max-w-52 py-1.5 align-top sm:table-cell">
        <Recipient delivery={delivery} />
      </Td>
      <Td numeric className="hidden py-1.5 align-top text-ink-2 md:table-cell">
        {attempts}
      </Td>
      <Td className="hidden py-1.5 align-top text-ink-2 sm:table-cell">
        <Moment at={createdAt} />
      </Td>
      <Td className="hidden py-1.5 align-top text-ink-2 lg:table-cell">
        <Moment at={sentAt} fallback="–" />
      </Td>
      <Td className="hidden w-8 py-1.5 text-right align-top sm:table-cell">
        {/* No taller than a line, to keep row heights equal. */}
        {canRetry && <RetryButton {...retryButton} className="-my-1" />}
      </Td>
    </Tr>
  );
}

function RetryButton({
  delivery: { subject, recipient },
  retry,
  isRetrying,
  className,
}: {
  delivery: ListedDelivery;
  retry: (() => void) | undefined;
  isRetrying: boolean;
  className: string;
}) {
  return (
    <Button
      size="sm"
      icon={RotateCw}
      pending={isRetrying}
      aria-label={`Retry “${subject}” to ${recipient.name}`}
      className={className}
      onClick={retry}
    >
      Retry
    </Button>
  );
}

/** Why it did not arrive, and when it is retried. */
function Reason({ delivery: { status, lastError, nextAttemptAt } }: { delivery: ListedDelivery }) {
  const now = useNow();
  if (lastError === null) return null;
  return (
    <span className="block text-xs break-words text-ink-2">
      {lastError}
      {status === "Queued" && nextAttemptAt !== null && (
        <span className="text-ink-3">
          {" · "}
          {now !== null && Date.parse(nextAttemptAt) <= now ? (
            "next attempt within a minute"
          ) : (
            <>
              next attempt <Moment at={nextAttemptAt} />
            </>
          )}
        </span>
      )}
    </span>
  );
}

function Recipient({ delivery: { recipient, channel } }: { delivery: ListedDelivery }) {
  const { icon: Icon, label } = recipientTypes[channel];
  return (
    <span
      className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle"
      title={`${recipient.name}, by ${label}`}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="sr-only">{label}: </span>
      <span className="truncate">{recipient.name}</span>
    </span>
  );
}
