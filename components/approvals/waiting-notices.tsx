"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Hourglass } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { kindWords } from "./kind-words.ts";

/** On a query's page: pending requests other than a change to its steps. */
export function WaitingNotices({ queryId }: { queryId: number }) {
  const { href } = useProject();
  const mayDecide = useMay("query-changes:decide");
  const list = trpc.approvals.list.useQuery(
    { queryId, status: "Pending", pageSize: 5 },
    { refetchInterval: 20_000 },
  );
  const waiting = list.data?.items.filter(({ kind }) => kind !== "Change") ?? [];
  return waiting.map(({ id, kind, requester, createdAt }) => (
    <section
      key={id}
      aria-label={`${kindWords[kind].waits} waits for approval`}
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-64">
        <strong>{kindWords[kind].waits}</strong> waits for approval, requested by{" "}
        {requester?.name ?? "the service"} <Moment at={createdAt} />.
      </p>
      <ButtonLink size="sm" href={href(`/approvals/${id}`)}>
        {mayDecide ? "Review and decide" : "Open request"}
      </ButtonLink>
    </section>
  ));
}
