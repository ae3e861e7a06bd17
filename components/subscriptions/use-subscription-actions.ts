"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatExact } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Subscription, SubscriptionInput } from "@/server/subscriptions/schema.ts";

/** What can be done with a subscription at once; each says what came of it. */
export function useSubscriptionActions({ id, queryName }: Pick<Subscription, "id" | "queryName">) {
  const utils = trpc.useUtils();
  const execute = trpc.subscriptions.execute.useMutation();
  const silence = trpc.subscriptions.silence.useMutation();
  const update = trpc.subscriptions.update.useMutation();
  const refresh = () => utils.subscriptions.invalidate();
  const attempt = async (what: string, act: () => Promise<unknown>) => {
    try {
      await act();
      await refresh();
    } catch (error) {
      toast.error(what, { description: messageOf(error) });
    }
  };

  const setSilence = async (until: Date | null) => {
    await silence.mutateAsync({ id, until: until?.toISOString() ?? null });
    toast.success(until ? `“${queryName}” is silenced` : `“${queryName}” notifies again`, {
      ...(until && { description: `Nobody is told until ${formatExact(until)}.` }),
    });
    await refresh();
  };

  return {
    /** Begins a run; the list shows what becomes of it. */
    run: () =>
      attempt(`“${queryName}” could not be run`, async () => {
        await execute.mutateAsync({ id });
        toast.success(`“${queryName}” is running`);
      }),
    silence: (until: Date) => attempt(`“${queryName}” could not be silenced`, () => setSilence(until)),
    endSilence: () => attempt("The silence could not be ended", () => setSilence(null)),
    /** Throws what went wrong, for a dialog to show. */
    silenceUntil: setSilence,
    setEnabled: (enabled: boolean) =>
      attempt(`“${queryName}” could not be ${enabled ? "enabled" : "disabled"}`, async () => {
        // As it is stored now: what somebody else has saved since this page was read stays.
        const stored = await utils.subscriptions.get.fetch({ id }, { staleTime: 0 });
        await update.mutateAsync({ id, baseRevision: stored.revision, ...writeOf(stored), enabled });
        toast.success(enabled ? `“${queryName}” is on` : `“${queryName}” is off`, {
          description: enabled ? "It runs on its schedule." : "It no longer runs by itself.",
        });
      }),
  };
}

export type SubscriptionActions = ReturnType<typeof useSubscriptionActions>;

/** A stored subscription as it is sent back. */
function writeOf(subscription: Subscription): SubscriptionInput {
  const { queryId, cronExpression, timezone, parameters, timeoutSeconds, condition } = subscription;
  const { createTasks, anomalyDetection, recipientIds, silencedUntil, enabled } = subscription;
  return {
    ...{ queryId, cronExpression, timezone, enabled, parameters, timeoutSeconds, condition },
    ...{ createTasks, anomalyDetection, recipientIds, silencedUntil },
  };
}
