"use client";
import { Why } from "@/components/causes/why.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Count } from "@/components/ui/count.tsx";
import { Fact, Facts } from "@/components/ui/facts.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { CircleCheck } from "@/components/ui/icons.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Comments } from "./comments.tsx";
import { Priority } from "./priority.tsx";
import { TaskControls } from "./task-controls.tsx";
import { TaskEvaluations } from "./task-evaluations.tsx";
import { TaskRuns } from "./task-runs.tsx";
import { foundWords, isSnoozed } from "./task-words.ts";

/** What is explained of it: the contract's rules that fail, or what the subscription found. */
const whyOf = ({
  contractId,
  subscriptionId,
}: {
  contractId: number | null;
  subscriptionId: number | null;
}) => (contractId === null ? { subscriptionId: subscriptionId ?? 0 } : { contractId });

/** One task: what was found, its assignee, and its result. */
export function TaskPage({ id }: { id: number }) {
  const { href } = useProject();
  const [task] = trpc.tasks.get.useSuspenseQuery({ id }, { refetchInterval: 30_000 });
  const snoozed = isSnoozed(task, useNow());
  const isOpen = task.status === "Open";
  return (
    <>
      <PageHeader
        parent={{ href: href("/tasks"), label: "Tasks" }}
        title={task.name}
        description={
          <span className="inline-flex flex-wrap items-center gap-2">
            {isOpen ? <Status kind="warning">Open</Status> : <Status kind="ok">Resolved</Status>}
            {snoozed && (
              <Badge>
                snoozed, wakes <Moment at={task.snoozedUntil} />
              </Badge>
            )}
          </span>
        }
        actions={
          <>
            <TaskControls task={task} snoozed={snoozed} />
            {task.contractId === null ? (
              <ButtonLink href={href(`/subscriptions/${task.subscriptionId}`)}>Subscription</ButtonLink>
            ) : (
              <ButtonLink href={href(`/data-quality/contracts/${task.contractId}`)}>Contract</ButtonLink>
            )}
          </>
        }
      />
      {!isOpen && (
        <section
          aria-label="How it was resolved"
          className="mb-4 flex items-start gap-2 rounded-md border bg-ok-soft px-3 py-2"
        >
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
          <div className="min-w-0">
            <p>
              {task.resolvedBy ? (
                <>
                  <strong>{task.resolvedBy.name}</strong> resolved it
                </>
              ) : (
                (task.resolutionNotes ?? "Resolved automatically")
              )}{" "}
              <Moment at={task.resolvedAt} />.
            </p>
            {task.resolvedBy && task.resolutionNotes && (
              <p className="max-w-prose break-words whitespace-pre-line text-ink-2">{task.resolutionNotes}</p>
            )}
          </div>
        </section>
      )}
      <Facts>
        <Fact label={task.contractId === null ? "Rows found" : "Score"}>
          <span className="font-medium">
            {task.latestScore === null ? (
              <Count value={task.latestRowCount} />
            ) : (
              formatNumber(task.latestScore, 2)
            )}
          </span>{" "}
          <span className="text-ink-3">{isOpen ? "in the latest run" : "in the end"}</span>
        </Fact>
        <Fact label="Found">{foundWords(task.executionCount)}</Fact>
        <Fact label="Opened">
          <Moment at={task.createdAt} />
        </Fact>
        <Fact label="Priority">
          <Priority priority={task.priority} />
        </Fact>
        <Fact label="Assignee">{task.assignee?.name ?? <span className="text-ink-3">nobody</span>}</Fact>
      </Facts>
      {isOpen && (
        <p className="pt-2 text-xs text-ink-3">
          {task.contractId === null
            ? "It resolves automatically when a run of the subscription finds no rows."
            : "It resolves automatically when a scheduled run of the contract reaches the threshold."}
        </p>
      )}
      <div className="flex flex-col gap-8 py-6">
        {isOpen && <Why of={whyOf(task)} />}
        {task.subscriptionId !== null && <TaskRuns subscriptionId={task.subscriptionId} />}
        {task.contractId !== null && <TaskEvaluations contractId={task.contractId} />}
        <Comments taskId={id} />
      </div>
    </>
  );
}
