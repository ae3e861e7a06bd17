"use client";
import { useRouter } from "next/navigation";
import { useMemo, useRef } from "react";
import { type FieldErrors, FormProvider, type Resolver, set, useForm } from "react-hook-form";
import { FormDraft } from "@/components/drafts/form-draft.tsx";
import { useEditBase } from "@/components/edits/use-edit-base.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { EditorFooter } from "@/components/shell/editor-footer.tsx";
import { LeaveGuard } from "@/components/shell/leave-guard.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { EditorAnomalies } from "./editor-anomalies.tsx";
import { EditorCondition } from "./editor-condition.tsx";
import { EditorPeople } from "./editor-people.tsx";
import { EditorQuery, type PickableQuery } from "./editor-query.tsx";
import { EditorSchedule } from "./editor-schedule.tsx";
import { MeanwhileSubscription } from "./meanwhile-subscription.tsx";
import { type SubscriptionForm, subscriptionInputOf } from "./subscription-form.ts";
import { problemsOf } from "./subscription-problems.ts";

/** Reads the form by the service's own schema, and says what is wrong at the path of each field. */
const readForm: Resolver<SubscriptionForm> = (values) => {
  const errors: FieldErrors<SubscriptionForm> = {};
  for (const { path, message } of problemsOf(values)) set(errors, path, { type: "invalid", message });
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
};

/** Writes a subscription, or changes the one that is given. */
export function SubscriptionEditor({
  stored,
  start,
  queries,
  isLoading = false,
}: {
  /** The one that is changed, and how any state of it is read into the form. */
  stored?: { subscription: Subscription; toForm: (subscription: Subscription) => SubscriptionForm };
  start: SubscriptionForm;
  queries: readonly PickableQuery[];
  isLoading?: boolean;
}) {
  const { subscription, toForm } = stored ?? {};
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const create = trpc.subscriptions.create.useMutation();
  const update = trpc.subscriptions.update.useMutation();
  const form = useForm<SubscriptionForm>({
    defaultValues: start,
    resolver: readForm,
    mode: "onSubmit",
    // Pickers are no inputs of their own: the first field that says something is wrong is focused by hand.
    shouldFocusError: false,
  });
  const element = useRef<HTMLFormElement>(null);
  const back = href(subscription ? `/subscriptions/${subscription.id}` : "/subscriptions");
  const showProblem = () =>
    // After the messages are drawn.
    setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), 50);

  const current = useMemo(
    () => (subscription && toForm ? { revision: subscription.revision, values: toForm(subscription) } : null),
    [subscription, toForm],
  );
  const edit = useEditBase(form, current, async () => {
    const newest = await utils.subscriptions.get.fetch({ id: subscription?.id ?? 0 }, { staleTime: 0 });
    return { revision: newest.revision, values: toForm?.(newest) ?? start };
  });

  const save = async (values: SubscriptionForm): Promise<void> => {
    const input = subscriptionInputOf(values);
    try {
      const saved = subscription
        ? await update.mutateAsync({ id: subscription.id, baseRevision: edit.revision(), ...input })
        : await create.mutateAsync(input);
      // What is saved is no longer a change that leaving would lose.
      form.reset(values);
      utils.subscriptions.get.setData({ id: saved.id }, saved);
      void utils.subscriptions.invalidate();
      void utils.queries.list.invalidate();
      toast.success(
        subscription ? `Saved the subscription to “${saved.queryName}”` : `“${saved.queryName}” is watched`,
      );
      router.push(href(`/subscriptions/${saved.id}`));
    } catch (error) {
      const refused = await edit.onRefused(error);
      if (refused === "again") return save(values);
      if (refused === "asked") return;
      applyFieldErrors(form, error);
      showProblem();
    }
  };
  const submit = form.handleSubmit(save, showProblem);

  return (
    <FormProvider {...form}>
      <form ref={element} onSubmit={submit} noValidate>
        {subscription && (
          <MeanwhileSubscription id={subscription.id} edit={edit} onSave={() => void submit()} />
        )}
        <FormDraft of="subscription" id={subscription?.id} edit={edit} />
        <EditorQuery queries={queries} isLoading={isLoading} isFixed={subscription !== undefined} />
        <EditorSchedule />
        <EditorCondition {...(subscription && { subscriptionId: subscription.id })} />
        <EditorPeople
          projectIdOf={(queryId) => queries.find(({ id }) => id === queryId)?.projectId ?? null}
        />
        <EditorAnomalies {...(subscription && { subscriptionId: subscription.id })} />
        <EditorFooter
          isNew={subscription === undefined}
          cancelHref={back}
          submit={subscription ? "Save subscription" : "Create subscription"}
          note={
            subscription
              ? "It counts from the next run on. What has been found stays as it is."
              : "It runs at its next time; you can also run it by hand at once."
          }
        />
      </form>
      <LeaveGuard />
    </FormProvider>
  );
}
