"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { kindWords } from "./kind-words.ts";

/** On a query's page, for who requested a change: its decision with the reason, until they have read it. */
export function DecisionNotices({ queryId }: { queryId: number }) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const { user } = useMe();
  const mayAcknowledge = useMay("queries:configure");
  const list = trpc.approvals.list.useQuery(
    { queryId, requesterId: user.id, pageSize: 20 },
    { enabled: mayAcknowledge, refetchInterval: 20_000 },
  );
  const acknowledge = trpc.approvals.acknowledge.useMutation({
    onSuccess: () => utils.approvals.list.invalidate(),
    onError: (error) => toast.error("The decision stays unread", { description: messageOf(error) }),
  });
  const unread =
    list.data?.items.filter(({ decidedAt, isDecisionRead }) => decidedAt !== null && !isDecisionRead) ?? [];
  return unread.map(({ id, kind, status, reviewer, decidedAt, comment, proposedVersion }) => (
    <section
      key={id}
      aria-label={`Decided: ${kindWords[kind].waits.toLowerCase()}, request ${id}`}
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-sunken px-3 py-2"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2">
          <Status kind={status === "Approved" ? "ok" : "critical"}>{status}</Status>
          <span>
            {kind === "Change" ? `Your change, version ${proposedVersion.number},` : kindWords[kind].waits}{" "}
            was {status.toLowerCase()} by {reviewer?.name ?? "the service"} <Moment at={decidedAt} />.
          </span>
        </p>
        {comment && <p className="max-w-prose pt-1 break-words whitespace-pre-line">“{comment}”</p>}
      </div>
      <ButtonLink size="sm" href={href(`/approvals/${id}`)}>
        Open request
      </ButtonLink>
      <Button size="sm" pending={acknowledge.isPending} onClick={() => acknowledge.mutate({ id })}>
        Got it
      </Button>
    </section>
  ));
}
