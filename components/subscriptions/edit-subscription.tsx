"use client";
import { useCallback, useState } from "react";
import { FormPage } from "@/components/shell/form-page.tsx";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { SubscriptionEditor } from "./subscription-editor.tsx";
import { formOf } from "./subscription-form.ts";

/** The editor of an existing subscription. */
export function EditSubscription({ id }: { id: number }) {
  // The form must not change while someone is editing; a notice says if someone else has saved.
  const [subscription] = trpc.subscriptions.get.useSuspenseQuery({ id }, { refetchInterval: 20_000 });
  const [query] = trpc.queries.get.useSuspenseQuery({ id: subscription.queryId });
  const [openedAt] = useState(() => Date.now());
  const toForm = useCallback(
    (stored: Subscription) => formOf(stored, query.parameters, openedAt),
    [query.parameters, openedAt],
  );
  return (
    <FormPage
      title={
        <>
          Edit the subscription to <Name>{subscription.title}</Name>
        </>
      }
      parent={{ href: `/subscriptions/${id}`, label: "Subscription" }}
      permission="subscriptions:configure"
    >
      <UnlessManaged kind="Subscription" id={id}>
        <SubscriptionEditor
          stored={{ subscription, toForm }}
          start={toForm(subscription)}
          queries={[query]}
        />
      </UnlessManaged>
    </FormPage>
  );
}
