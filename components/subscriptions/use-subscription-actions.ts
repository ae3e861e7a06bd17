"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatExact } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Subscription, SubscriptionInput } from "@/server/subscriptions/schema.ts";

/** One-click actions on a subscription; each reports its result. */
export function useSubscriptionActions({ id, title }: Pick<Subscription, "id" | "title">) {
  const zone = useZone();
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

  const setSilence = async (until: Date | null, reason = "") => {
    await silence.mutateAsync({ id, until: until?.toISOString() ?? null, reason });
    toast.success(until ? `“${title}” is silenced` : `“${title}” notifies again`, {
      ...(until && { description: `Silenced until ${formatExact(until, zone)}.` }),
    });
    await refresh();
  };

  return {
    /** Starts a run; the list shows its progress. */
    run: () =>
      attempt(`“${title}” could not be run`, async () => {
        await execute.mutateAsync({ id });
        toast.success(`“${title}” is running`);
      }),
    silence: (until: Date) => attempt(`“${title}” could not be silenced`, () => setSilence(until)),
    endSilence: () => attempt("The silence could not be ended", () => setSilence(null)),
    /** Throws on failure, for a dialog to show. */
    silenceUntil: setSilence,
    setEnabled: (enabled: boolean) =>
      attempt(`“${title}” could not be ${enabled ? "enabled" : "disabled"}`, async () => {
        // Starts from the stored subscription, to keep what others saved since this page loaded.
        const stored = await utils.subscriptions.get.fetch({ id }, { staleTime: 0 });
        await update.mutateAsync({ id, baseRevision: stored.revision, ...writeOf(stored), enabled });
        toast.success(enabled ? `“${title}” is on` : `“${title}” is off`, {
          description: enabled ? "It runs on its schedule." : "It no longer runs on schedule.",
        });
      }),
  };
}

export type SubscriptionActions = ReturnType<typeof useSubscriptionActions>;

/** A stored subscription as API input. */
function writeOf(subscription: Subscription): SubscriptionInput {
  const { queryId, cronExpression, timezone, parameters, timeoutSeconds, condition } = subscription;
  const { createTasks, anomalyDetection, recipientIds, silencedUntil, enabled } = subscription;
  return {
    ...{ queryId, cronExpression, timezone, enabled, parameters, timeoutSeconds, condition },
    ...{ createTasks, anomalyDetection, recipientIds, silencedUntil },
  };
}
