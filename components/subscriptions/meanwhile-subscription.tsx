"use client";
import { EditedMeanwhile } from "@/components/edits/edited-meanwhile.tsx";
import type { EditBase } from "@/components/edits/use-edit-base.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { mergeSubscriptions } from "./merge-subscription.ts";
import { subscriptionDifferenceWords } from "./subscription-difference-words.ts";
import type { SubscriptionForm } from "./subscription-form.ts";

/** Shows changes others saved while a subscription is being edited, and merges them. */
export function MeanwhileSubscription({
  id,
  edit,
  onSave,
}: {
  id: number;
  edit: EditBase<SubscriptionForm>;
  onSave: () => void;
}) {
  const zone = useZone();
  const edits = trpc.subscriptions.edits.useQuery(
    { id, since: edit.base?.revision },
    { enabled: edit.isBehind, refetchInterval: 20_000 },
  );
  return (
    <EditedMeanwhile
      thing="subscription"
      edit={edit}
      edits={edits.data?.items ?? []}
      merge={mergeSubscriptions}
      wordsOf={subscriptionDifferenceWords(zone)}
      onSave={onSave}
    />
  );
}
