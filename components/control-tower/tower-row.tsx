import type { ComponentProps, MouseEvent } from "react";
import { NotRunYet, Outcome } from "@/components/subscriptions/outcome.tsx";
import { RecentChart } from "@/components/subscriptions/recent-chart.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Activity, Bot, OctagonX } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { HealthRow } from "@/server/control-tower/schema.ts";
import type { RecentValues } from "@/server/subscriptions/schema.ts";
import { AnomalyBars } from "./anomaly-bars.tsx";
import { healthLook, type Judged } from "./health-looks.ts";
import { exactRate, formatRate } from "./success-rate.ts";

/** One subscription's health and the numbers behind it. On narrow tables, hidden columns are shown below its name. */
export function TowerRow({
  health,
  recent,
  href,
  isOpen,
  onOpen,
  ...row
}: {
  health: HealthRow;
  recent: RecentValues | undefined;
  /** The panel's URL. */
  href: string;
  isOpen: boolean;
  onOpen: () => void;
} & Omit<ComponentProps<"tr">, "children">) {
  const { subscriptionName, folderPath, dataSourceName, failedCount, openTaskCount, totalTaskCount } = health;
  const open = (event: MouseEvent) => {
    // Let the browser open new tabs and windows.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <Tr {...row} selected={isOpen} data-subscription={health.subscriptionId} className="align-top">
      <Td className="w-0 py-1.5">
        <HealthPill health={health} />
      </Td>
      <Td className="w-full max-w-0 min-w-36 py-1.5">
        <a
          href={href}
          onClick={open}
          title={subscriptionName}
          className="block truncate leading-5 font-medium hover:underline"
        >
          {subscriptionName}
        </a>
        <span className="flex min-w-0 items-center gap-1.5 text-xs leading-5 text-ink-3">
          <Place folderPath={folderPath} dataSourceName={dataSourceName} />
          {health.hasAiActor && (
            <Badge className="h-4 px-1">
              <span className="inline-flex items-center gap-1" title={actorWords(health.aiActorName)}>
                <Bot aria-hidden className="size-3" />
                AI
              </span>
            </Badge>
          )}
          {health.anomalyDetectionEnabled && (
            <span title="Looks for anomalies" className="shrink-0">
              <Activity aria-hidden className="size-3.5" />
              <span className="sr-only">Looks for anomalies</span>
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-xs leading-5 text-ink-3 @2xl:hidden">
          <LastRun health={health} />
          {openTaskCount > 0 && <span className="text-ink-2">{plural(openTaskCount, "open task")}</span>}
          {health.anomalyCount > 0 && <span>{plural(health.anomalyCount, "anomaly", "anomalies")}</span>}
        </span>
      </Td>
      <Td numeric className="py-1.5">
        <span className="leading-5 font-medium" title={exactRate(health)}>
          {health.successRate === null ? (
            <span className="text-ink-3">–</span>
          ) : (
            formatRate(health.successRate)
          )}
        </span>
        <span className="block text-xs leading-5 text-ink-3 @2xl:hidden">
          <Count value={health.totalExecutions} /> {health.totalExecutions === 1 ? "run" : "runs"}
        </span>
      </Td>
      <Td numeric className="hidden py-1.5 @2xl:table-cell">
        <Count value={health.totalExecutions} className="block leading-5 tabular-nums" />
        {failedCount > 0 && (
          <span
            className="inline-flex items-center gap-1 text-xs leading-5 text-critical"
            title={`${formatNumber(failedCount)} not successful: could not run, timed out, not above the threshold, or not ended`}
          >
            <Count value={failedCount} />
            <OctagonX aria-hidden className="size-3" />
            <span className="sr-only">not successful</span>
          </span>
        )}
      </Td>
      <Td numeric className="hidden py-1.5 @2xl:table-cell">
        {openTaskCount > 0 ? (
          <span className="block leading-5 font-medium">{formatNumber(openTaskCount)} open</span>
        ) : (
          <span className="block leading-5 text-ink-3">0</span>
        )}
        {totalTaskCount > openTaskCount && (
          <span className="block text-xs leading-5 text-ink-3">of {formatNumber(totalTaskCount)}</span>
        )}
      </Td>
      <Td numeric className="hidden py-1.5 @2xl:table-cell @5xl:hidden">
        {health.anomalyCount === 0 ? (
          <span className="text-ink-3">0</span>
        ) : (
          <Count value={health.anomalyCount} />
        )}
      </Td>
      <Td numeric className="hidden w-32 py-1.5 @5xl:table-cell">
        <AnomalyBars days={health.anomaliesByDay} total={health.anomalyCount} />
      </Td>
      <Td className="hidden py-1.5 @4xl:table-cell">
        <RecentChart recent={recent} />
      </Td>
      {/* Next to the panel there is room for only part of the text. */}
      <Td className="hidden max-w-56 min-w-36 py-1.5 @2xl:table-cell @5xl:min-w-48">
        <span className="flex flex-col leading-5 [&_span]:whitespace-normal">
          <LastRun health={health} />
        </span>
      </Td>
    </Tr>
  );
}

export function HealthPill({ health }: { health: Judged }) {
  const { kind, icon, word, hint } = healthLook(health);
  return (
    <span title={hint}>
      <Badge tone={kind} className="rounded-full px-2">
        <Status kind={kind} {...(icon && { icon })} className="gap-1 [&_svg]:size-3.5">
          {word}
        </Status>
      </Badge>
    </span>
  );
}

function Place({ folderPath, dataSourceName }: Pick<HealthRow, "folderPath" | "dataSourceName">) {
  const place = [folderPath, dataSourceName].filter((each) => each !== null).join(" · ");
  return (
    <span className="min-w-0 truncate" title={place}>
      {place}
    </span>
  );
}

function LastRun({ health: { lastExecution } }: { health: HealthRow }) {
  if (!lastExecution) return <NotRunYet />;
  return (
    <>
      <Outcome outcome={lastExecution.outcome} />
      <Moment at={lastExecution.executedAt} className="text-xs whitespace-nowrap text-ink-3" />
    </>
  );
}

const actorWords = (name: string | null) =>
  name === null ? "Maintained by an AI actor" : `The AI actor ${name} watches over it`;
