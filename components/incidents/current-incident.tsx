"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Siren } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";

/** A line for the page of a subscription or contract that is part of a current incident; otherwise nothing. */
export function CurrentIncident(of: { subscriptionId: number } | { contractId: number }) {
  const { href } = useProject();
  const { data } = trpc.incidents.list.useQuery(
    { ...of, current: true, page: 0, pageSize: 1 },
    { refetchInterval: 60_000 },
  );
  const [incident] = data?.items ?? [];
  if (!incident) return null;
  return (
    <p className="flex items-start gap-2 pb-3 text-ink-2">
      <Siren aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
      <span className="min-w-0 break-words">
        Part of an incident:{" "}
        <Link href={href(`/incidents/${incident.id}`)} className="text-ink underline underline-offset-2">
          {incident.title}
        </Link>
      </span>
    </p>
  );
}
