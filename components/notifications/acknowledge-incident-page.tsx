"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { useMe } from "../auth/use-me.ts";
import { firstOf } from "../incidents/first-problems.ts";
import { trpc } from "../trpc/client.tsx";
import { Eye } from "../ui/icons.tsx";
import { Name } from "../ui/name.tsx";
import { ConfirmPage } from "./confirm-page.tsx";

/** Acknowledges an incident. */
export function AcknowledgeIncidentPage({ id }: { id: number }) {
  const { href } = useProject();
  const { user } = useMe();
  const utils = trpc.useUtils();
  const [incident] = trpc.incidents.get.useSuspenseQuery(firstOf(id), { refetchInterval: 30_000 });
  const acknowledge = trpc.incidents.acknowledge.useMutation();
  const { state, title, acknowledgedBy } = incident;
  return (
    <ConfirmPage
      title="Acknowledge an incident"
      about={<p>{title}</p>}
      consequence="Everyone sees that you look after it, and nobody else is notified. If it is nobody’s, it becomes yours."
      confirm="Acknowledge"
      icon={Eye}
      permission="incidents:work"
      done={
        state === "Open" ? null : state === "Resolved" ? (
          "The incident is resolved."
        ) : acknowledgedBy?.id === user.id ? (
          "You acknowledged it."
        ) : (
          <>
            <Name>{acknowledgedBy?.name ?? "Someone"}</Name> acknowledged it.
          </>
        )
      }
      open={{ href: href(`/incidents/${id}`), label: "Open the incident" }}
      act={() => acknowledge.mutateAsync({ id })}
      refresh={() => Promise.all([utils.incidents.invalidate(), utils.needsAttention.invalidate()])}
    />
  );
}
