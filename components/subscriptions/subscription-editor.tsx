"use client";
import { useMemo } from "react";
import { FormEditor } from "@/components/editors/form-editor.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { EditorAnomalies } from "./editor-anomalies.tsx";
import { EditorCondition } from "./editor-condition.tsx";
import { EditorPeople } from "./editor-people.tsx";
import { EditorQuery, type PickableQuery } from "./editor-query.tsx";
import { EditorSchedule } from "./editor-schedule.tsx";
import { MeanwhileSubscription } from "./meanwhile-subscription.tsx";
import { type SubscriptionForm, subscriptionInputOf } from "./subscription-form.ts";

/** Its schema is loaded when the form is checked. */
const problemsOf = async (values: SubscriptionForm) =>
  (await import("./subscription-problems.ts")).problemsOf(values);

/** Creates a subscription, or edits an existing one. */
export function SubscriptionEditor({
  stored,
  start,
  queries,
  isLoading = false,
}: {
  /** The subscription being edited, and how to convert any version of it to the form. */
  stored?: { subscription: Subscription; toForm: (subscription: Subscription) => SubscriptionForm };
  start: SubscriptionForm;
  queries: readonly PickableQuery[];
  isLoading?: boolean;
}) {
  const { subscription, toForm } = stored ?? {};
  const utils = trpc.useUtils();
  const create = trpc.subscriptions.create.useMutation();
  const update = trpc.subscriptions.update.useMutation();
  const current = useMemo(
    () => (subscription && toForm ? { revision: subscription.revision, values: toForm(subscription) } : null),
    [subscription, toForm],
  );
  const own = subscription && { subscriptionId: subscription.id };
  return (
    <FormEditor<SubscriptionForm, Subscription>
      kind="subscription"
      id={subscription?.id}
      start={start}
      problemsOf={problemsOf}
      revisions={{
        current,
        load: async () => {
          const newest = await utils.subscriptions.get.fetch({ id: subscription?.id ?? 0 }, { staleTime: 0 });
          return { revision: newest.revision, values: toForm?.(newest) ?? start };
        },
      }}
      meanwhile={(edit, save) =>
        subscription && <MeanwhileSubscription id={subscription.id} edit={edit} onSave={save} />
      }
      save={(values, baseRevision) => {
        const input = subscriptionInputOf(values);
        return subscription
          ? update.mutateAsync({ id: subscription.id, baseRevision, ...input })
          : create.mutateAsync(input);
      }}
      saved={(saved) => {
        utils.subscriptions.get.setData({ id: saved.id }, saved);
        void utils.subscriptions.invalidate();
        void utils.queries.list.invalidate();
        return `${subscription ? "Saved the subscription to" : "Subscribed to"} “${saved.title}”`;
      }}
      hrefOf={({ id }) => `/subscriptions/${id}`}
      cancelHref={subscription ? `/subscriptions/${subscription.id}` : "/subscriptions"}
      submit={subscription ? "Save subscription" : "Create subscription"}
      note={
        subscription
          ? "Changes apply from the next run. Past results stay as they are."
          : "It runs at its next scheduled time, or when you choose “Run now”."
      }
    >
      <EditorQuery queries={queries} isLoading={isLoading} isFixed={subscription !== undefined} />
      <EditorSchedule />
      <EditorCondition {...own} />
      <EditorPeople projectIdOf={(queryId) => queries.find(({ id }) => id === queryId)?.projectId ?? null} />
      <EditorAnomalies {...own} />
    </FormEditor>
  );
}
