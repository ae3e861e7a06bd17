"use client";
import type { ReactNode } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import type { Choice } from "@/components/decisions/choice.ts";
import { Decide } from "@/components/decisions/decide.tsx";
import { DecisionBar } from "@/components/decisions/decision-bar.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Check, X } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { DecidedLine } from "./decided-line.tsx";
import { kindWords } from "./kind-words.ts";
import { type Obstacle, obstacleOf } from "./obstacle.ts";
import { type Decision, useDecide } from "./use-decide.ts";

/** Approves or rejects a request. */
export function DecisionFooter({ approval }: { approval: Approval }) {
  return (
    <DecisionBar>
      {approval.status === "Pending" ? <ToDecide approval={approval} /> : <DecidedLine approval={approval} />}
    </DecisionBar>
  );
}

const choices: readonly Choice<Decision>[] = [
  {
    decision: "reject",
    button: { label: "Reject", key: "x", icon: X, variant: "danger" },
    form: { name: "Reject the change", label: "Reason", variant: "danger", most: 4000 },
  },
  {
    decision: "approve",
    button: { label: "Approve", key: "a", icon: Check, variant: "primary" },
    form: { name: "Approve the change", label: "Comment on the approval", variant: "primary", most: 4000 },
  },
];

function ToDecide({ approval }: { approval: Approval }) {
  const { user } = useMe();
  const mayDecide = useMay("query-changes:decide");
  const [{ fourEyes }] = trpc.approvals.workflow.useSuspenseQuery();
  const query = trpc.queries.get.useQuery({ id: approval.queryId }, { refetchInterval: 15_000 });
  const obstacle = obstacleOf({
    approval,
    // For people who can't decide, ownership doesn't matter.
    ...{ myId: user.id, fourEyes: fourEyes && mayDecide, isLocked: query.data?.isLocked ?? false },
  });
  const decision = useDecide(approval);
  const consequence = <Consequence approval={approval} obstacle={obstacle} />;
  if (!mayDecide)
    return <p className="text-ink-2">{consequence} An Admin decides. The decision appears here.</p>;
  const blocked = obstacle ? { approve: consequence } : {};
  return <Decide choices={choices} consequence={consequence} blocked={blocked} {...decision} />;
}

/** What approving will do, or why it isn't possible. */
function Consequence({ approval, obstacle }: { approval: Approval; obstacle: Obstacle | null }): ReactNode {
  const { href } = useProject();
  const { kind, queryId, baseVersion } = approval;
  const query = (label: string) => (
    <Link href={href(`/queries/${queryId}`)} className="text-accent underline">
      {label}
    </Link>
  );
  if (obstacle === null) return kindWords[kind].consequence(approval);
  return (
    <>
      <StatusIcon kind="warning" className="mr-1.5 inline align-text-bottom" />
      {obstacle.kind === "stale" && (
        <>
          It can no longer be approved: version {obstacle.active} is active now, and this change is based on
          version {baseVersion}. {query("Open query")} to make it anew.
        </>
      )}
      {obstacle.kind === "own change" &&
        "This is your own change: another Admin has to approve it. You can reject it."}
      {obstacle.kind === "locked" && (
        <>The query is locked: it cannot be approved until an Admin unlocks it. {query("Open query")}</>
      )}
    </>
  );
}
