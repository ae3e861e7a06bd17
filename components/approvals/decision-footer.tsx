"use client";
import { Check, X } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { plural } from "@/components/ui/format.ts";
import { Kbd } from "@/components/ui/kbd.tsx";
import { isTypingElsewhere } from "@/components/ui/keyboard.ts";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import { DecidedLine } from "./decided-line.tsx";
import { DecisionForm } from "./decision-form.tsx";
import { type Obstacle, obstacleOf } from "./obstacle.ts";
import { type Decision, useDecide } from "./use-decide.ts";

/** The decision, in view wherever the page is scrolled to: to be made, or as it was made. */
export function DecisionFooter({ approval }: { approval: Approval }) {
  useClearView();
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-20 -mx-4 mt-8 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6"
    >
      {approval.status === "Pending" ? <ToDecide approval={approval} /> : <DecidedLine approval={approval} />}
    </section>
  );
}

function ToDecide({ approval }: { approval: Approval }) {
  const { user } = useMe();
  const mayDecide = useMay("query-changes:decide");
  const [{ fourEyes }] = trpc.approvals.workflow.useSuspenseQuery();
  const query = trpc.queries.get.useQuery({ id: approval.queryId }, { refetchInterval: 15_000 });
  const obstacle = obstacleOf({
    approval,
    // To those who decide nothing, it is one change like another.
    ...{ myId: user.id, fourEyes: fourEyes && mayDecide, isLocked: query.data?.isLocked ?? false },
  });
  const { decide, isDeciding, failure, forgetFailure } = useDecide(approval);
  const [asking, setAsking] = useState<Decision | null>(null);
  const [comment, setComment] = useState("");
  const buttons = { approve: useRef<HTMLButtonElement>(null), reject: useRef<HTMLButtonElement>(null) };

  const ask = (decision: Decision) => {
    forgetFailure();
    setAsking(decision);
  };
  useDecisionKeys(mayDecide && asking === null, (decision) => {
    if (decision === "reject" || !obstacle) ask(decision);
  });
  if (!mayDecide)
    return (
      <p className="text-ink-2">
        <Consequence approval={approval} obstacle={obstacle} /> An Admin decides; what is decided appears here
        by itself.
      </p>
    );
  if (asking)
    return (
      <DecisionForm
        decision={asking}
        comment={comment}
        // It may have come up while the comment was written.
        blocked={
          asking === "approve" && obstacle ? <Consequence approval={approval} obstacle={obstacle} /> : null
        }
        failure={failure}
        pending={isDeciding}
        onComment={setComment}
        onSend={() => void decide(asking, comment)}
        onCancel={() => {
          const button = buttons[asking];
          setAsking(null);
          forgetFailure();
          requestAnimationFrame(() => button.current?.focus());
        }}
      />
    );
  return (
    <>
      {failure && (
        <div className="pb-3">
          <FormError>{failure}</FormError>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-ink-2">
          <Consequence approval={approval} obstacle={obstacle} />
        </p>
        <Button
          ref={buttons.reject}
          variant="danger"
          icon={X}
          aria-keyshortcuts="x"
          onClick={() => ask("reject")}
        >
          Reject
          <Kbd>X</Kbd>
        </Button>
        <Button
          ref={buttons.approve}
          variant="primary"
          icon={Check}
          aria-keyshortcuts="a"
          disabled={obstacle !== null}
          onClick={() => ask("approve")}
        >
          Approve
          <Kbd>A</Kbd>
        </Button>
      </div>
    </>
  );
}

/** What approving comes to, or why it cannot be done. */
function Consequence({ approval, obstacle }: { approval: Approval; obstacle: Obstacle | null }): ReactNode {
  const { href } = useProject();
  const { queryId, proposedVersion, baseVersion, subscriptionCount } = approval;
  const query = (label: string) => (
    <Link href={href(`/queries/${queryId}`)} className="text-accent underline">
      {label}
    </Link>
  );
  if (obstacle === null)
    return (
      <>
        Once it is approved, version {proposedVersion.number} runs instead of version {baseVersion}
        {subscriptionCount > 0 && `, in ${plural(subscriptionCount, "subscription")}`}.
      </>
    );
  return (
    <>
      <StatusIcon kind="warning" className="mr-1.5 inline align-text-bottom" />
      {obstacle.kind === "stale" && (
        <>
          It cannot be approved any more: version {obstacle.active} runs by now, and this change was made from
          version {baseVersion}. {query("Open query")} to make it anew.
        </>
      )}
      {obstacle.kind === "own change" &&
        "It is your own change: somebody else has to approve it. You can reject it."}
      {obstacle.kind === "locked" && (
        <>The query is locked: it cannot be approved until an Admin unlocks it. {query("Open query")}</>
      )}
    </>
  );
}

/** A approves and X rejects, wherever on the page the focus is, in the texts that are compared too. */
function useDecisionKeys(isOn: boolean, onKey: (decision: Decision) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const decision = event.key === "a" ? "approve" : event.key === "x" ? "reject" : null;
      if (!decision || event.repeat) return;
      const { target } = event;
      const isReading = target instanceof Element && target.closest("[aria-readonly=true]") !== null;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
      if (!(isReading && isPlain) && isTypingElsewhere(event)) return;
      event.preventDefault();
      latest.current(decision);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn]);
}
