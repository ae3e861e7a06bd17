"use client";
import { useCallback, useState } from "react";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { formOf } from "./subscription-form.ts";

/** The editor of a subscription that is there. */
export function EditSubscription({ id }: { id: number }) {
  useClearView();
  // The form does not change under the hands of whoever edits; it tells them that somebody else has saved.
  const [subscription] = trpc.subscriptions.get.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
  const [query] = trpc.queries.get.useSuspenseQuery({ id: subscription.queryId });
  const [openedAt] = useState(() => Date.now());
  const toForm = useCallback(
    (stored: Subscription) => formOf(stored, query.parameters, openedAt),
    [query.parameters, openedAt],
  );
  return (
    <FormPage
      title={`Edit the subscription to ${subscription.queryName}`}
      parent={{ href: `/subscriptions/${id}`, label: "Subscription" }}
      permission="subscriptions:configure"
    >
      <SubscriptionEditor stored={{ subscription, toForm }} start={toForm(subscription)} queries={[query]} />
    </FormPage>
  );
}
