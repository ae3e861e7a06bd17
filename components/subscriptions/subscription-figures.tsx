import { useProject } from "@/components/projects/use-project.ts";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatCount, formatNumber, formatPercent, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { type Execution, type Subscription, successfulStatuses } from "@/server/subscriptions/schema.ts";
import type { Task } from "@/server/tasks/schema.ts";
import { outcomeLooks } from "./outcome.tsx";

/** Whether it works, and what it found, in five figures. */
export function SubscriptionFigures({
  subscription,
  executions,
  openTask,
  unseenAnomalies,
}: {
  subscription: Subscription;
  /** Newest first. */
  executions: readonly Execution[];
  openTask: Task | undefined;
  unseenAnomalies: number;
}) {
  const { href } = useProject();
  const ended = executions.filter(({ status }) => status !== "Created");
  const [latest] = executions;
  const found = executions.find(({ rowCount }) => rowCount !== null);
  const successful = ended.filter(({ status }) => successfulStatuses.some((each) => each === status)).length;
  const rate = ended.length === 0 ? null : (successful / ended.length) * 100;
  return (
    <Figures className="max-sm:[&>*:last-child]:col-span-2">
      <Figure
        label="Last run"
        {...(latest && { kind: outcomeLooks[latest.status].kind })}
        value={<span className="text-base">{latest ? outcomeLooks[latest.status].word : "Not run yet"}</span>}
        detail={latest ? <Moment at={latest.executedAt} /> : "no result yet"}
      />
      <Figure
        label="Rows found"
        value={found?.rowCount == null ? "–" : formatCount(found.rowCount)}
        {...(found?.rowCount != null && { title: formatNumber(found.rowCount) })}
        detail={
          found === latest ? "in the last run" : found ? <Moment at={found.executedAt} /> : "no result yet"
        }
      />
      <Figure
        label="Successful"
        value={rate === null ? "–" : formatPercent(rate)}
        detail={rate === null ? "no run yet" : `${successful} of the last ${plural(ended.length, "run")}`}
      />
      <Figure
        label={openTask ? "Open task" : "Task"}
        {...(openTask && { kind: "warning", href: href(`/tasks/${openTask.id}`) })}
        value={
          <span className="text-base">
            {openTask ? openTask.priority : subscription.createTasks ? "None open" : "Not asked for"}
          </span>
        }
        detail={
          openTask ? (
            <>
              {openTask.assignee?.name ?? "nobody's"}, <Moment at={openTask.createdAt} />
            </>
          ) : subscription.createTasks ? (
            "opens when the condition is met"
          ) : (
            "it opens none"
          )
        }
      />
      <Figure
        label="Anomalies"
        {...(unseenAnomalies > 0 && { kind: "warning" })}
        value={subscription.anomalyDetection.enabled || unseenAnomalies > 0 ? unseenAnomalies : "–"}
        detail={
          unseenAnomalies > 0
            ? "not acknowledged"
            : subscription.anomalyDetection.enabled
              ? "all acknowledged"
              : "not looked for"
        }
      />
    </Figures>
  );
}
