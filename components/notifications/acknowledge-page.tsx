"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { Check } from "../ui/icons.tsx";
import { Name } from "../ui/name.tsx";
import { ConfirmPage } from "./confirm-page.tsx";

/** Acknowledges an anomaly. */
export function AcknowledgePage({ id }: { id: number }) {
  const { href } = useProject();
  const { user } = useMe();
  const utils = trpc.useUtils();
  const [anomaly] = trpc.anomalies.get.useSuspenseQuery({ id }, { refetchInterval: 30_000 });
  const acknowledge = trpc.anomalies.acknowledge.useMutation();
  const { subscriptionId, subscriptionName, acknowledged, acknowledgedBy } = anomaly;
  return (
    <ConfirmPage
      title={`Acknowledge an anomaly of “${subscriptionName}”`}
      about={<p>{anomaly.explanation}.</p>}
      consequence="Everyone sees that you have looked at it, and it no longer needs attention. Nothing else changes."
      confirm="Acknowledge"
      icon={Check}
      permission="subscriptions:run"
      done={
        acknowledged ? (
          acknowledgedBy?.id === user.id ? (
            "You acknowledged it."
          ) : (
            <>
              <Name>{acknowledgedBy?.name ?? "Someone"}</Name> acknowledged it.
            </>
          )
        ) : null
      }
      open={{ href: href(`/subscriptions/${subscriptionId}`), label: "Open the subscription" }}
      act={() => acknowledge.mutateAsync({ id })}
      refresh={() => Promise.all([utils.anomalies.invalidate(), utils.needsAttention.invalidate()])}
    />
  );
}
