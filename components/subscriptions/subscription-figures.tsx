import { useProject } from "@/components/projects/use-project.ts";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatPercent, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { successfulStatuses } from "@/server/subscriptions/kinds.ts";
import type { Execution, Subscription } from "@/server/subscriptions/schema.ts";
import type { Task } from "@/server/tasks/schema.ts";
import { Told } from "./outcome.tsx";
import { foundLookOf, headWords, isFailing, toldLooks } from "./outcome-looks.ts";

/** Whether it ran, what it found, who was notified, and totals, in six figures. */
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
  const found = executions.find(({ outcome }) => outcome.found !== null);
  const asOf = found === latest ? "in the last run" : found ? <Moment at={found.executedAt} /> : "no run yet";
  const successful = ended.filter(({ status }) => successfulStatuses.some((each) => each === status)).length;
  const rate = ended.length === 0 ? null : (successful / ended.length) * 100;
  return (
    <Figures>
      <Figure
        label="Last run"
        {...(latest && latest.outcome.run !== "Ran" && { kind: foundLookOf(latest.outcome).kind })}
        value={<span className="text-base">{latest ? ranWords(latest) : "Not run yet"}</span>}
        detail={latest ? <Moment at={latest.executedAt} /> : "no run yet"}
      />
      <Figure
        label="Found"
        {...(found && { kind: foundLookOf(found.outcome).kind })}
        value={<span className="text-base">{found ? headWords(found.outcome) : "–"}</span>}
        detail={asOf}
      />
      <Figure
        label="Told"
        {...(found && toldLooks[found.outcome.told.state].kind === "warning" && { kind: "warning" })}
        {...(found && isFailing(found.outcome.told) && { href: href("/notifications?failing=true") })}
        value={<span className="text-base">{found ? <Told told={found.outcome.told} /> : "–"}</span>}
        detail={asOf}
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
              {openTask.assignee?.name ?? "Unassigned"}, <Moment at={openTask.createdAt} />
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

const ranWords = ({ outcome }: Execution) => (outcome.run === "Ran" ? "Ran" : headWords(outcome));
