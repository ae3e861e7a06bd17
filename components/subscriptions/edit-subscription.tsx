"use client";
import { useState } from "react";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { formOf } from "./subscription-form.ts";

/** The editor of a subscription that is there. */
export function EditSubscription({ id }: { id: number }) {
  useClearView();
  // What is being edited does not change under the hands of who edits it.
  const [subscription] = trpc.subscriptions.get.useSuspenseQuery({ id }, { staleTime: Infinity });
  const [query] = trpc.queries.get.useSuspenseQuery({ id: subscription.queryId });
  const [openedAt] = useState(() => Date.now());
  const start = formOf(subscription, query.parameters, openedAt);
  return (
    <FormPage
      title={`Edit the subscription to ${subscription.queryName}`}
      parent={{ href: `/subscriptions/${id}`, label: "Subscription" }}
      permission="subscriptions:configure"
    >
      {/* The cache may first give an older state; the form begins anew with the one that the server has. */}
      <SubscriptionEditor
        key={JSON.stringify(start)}
        subscription={subscription}
        start={start}
        queries={[query]}
      />
    </FormPage>
  );
}
