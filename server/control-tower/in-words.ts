import { outcomeWords } from "../subscriptions/outcome-words.ts";
import { plural } from "../text.ts";
import type { HealthPage, HealthRow, Statistics, SubscriptionDetail } from "./schema.ts";

/** Health as text, for clients that show only text. */

const most = 100;

export function statisticsInWords(statistics: Statistics): string {
  const { totalSubscriptions, healthySubscriptions, warningSubscriptions } = statistics;
  const { criticalSubscriptions, stalledSubscriptions, timeRangeDays } = statistics;
  return [
    `${plural(totalSubscriptions, "subscription")}: ${healthySubscriptions} healthy, ${warningSubscriptions} warning, ${criticalSubscriptions} critical, ${stalledSubscriptions} stalled.`,
    `Of the last ${plural(timeRangeDays, "day")}: ${statistics.overallSuccessRate} % of the executions were successful, ${plural(statistics.totalAnomalies30Days, "anomaly", "anomalies")}.`,
    `${plural(statistics.totalUnresolvedTasks, "open task")}.`,
  ].join("\n");
}

type Shown = Omit<HealthRow, "anomaliesByDay">;
type Page = Omit<HealthPage, "items"> & { items: readonly Shown[] };

export function healthInWords({ items, page, pageSize, totalCount }: Page): string {
  if (totalCount === 0) return "No subscriptions match.";
  if (items.length === 0) return `There is no page ${page}: there are ${totalCount} subscriptions.`;
  const first = page * pageSize + 1;
  const isPart = items.length < totalCount;
  return [
    ...(isPart ? [`${first} to ${first + items.length - 1} of ${totalCount} subscriptions:`] : []),
    ...items.slice(0, most).map(rowInWords),
    ...(items.length > most ? [`and ${items.length - most} more`] : []),
  ].join("\n");
}

function rowInWords(row: Shown): string {
  const { subscriptionId, subscriptionName, folderPath, status, lastExecution } = row;
  const runs =
    row.successRate === null
      ? lastExecution === null
        ? "not run yet"
        : "no runs"
      : `${row.successRate} % of ${plural(row.totalExecutions, "run")} successful`;
  const facts = [
    `${status}, ${runs}`,
    row.openTaskCount > 0 && plural(row.openTaskCount, "open task"),
    row.anomalyCount > 0 && plural(row.anomalyCount, "anomaly", "anomalies"),
    lastExecution &&
      `last run at ${lastExecution.executedAt}: ${outcomeWords(lastExecution.outcome, String)}`,
  ];
  return `${subscriptionId}: ${subscriptionName}${folderPath === null ? "" : ` (${folderPath})`}: ${facts.filter(Boolean).join("; ")}`;
}

export function detailInWords(detail: SubscriptionDetail): string {
  const { subscriptionId, subscriptionName, folderPath, cronExpression, executions, openTasks, anomalies } =
    detail;
  const runs = executions.map(({ executedAt, outcome, executionTimeMs, errorMessage }) => {
    const facts = [executionTimeMs !== null && `${executionTimeMs} ms`, errorMessage];
    return `- ${[`${executedAt}: ${outcomeWords(outcome, String)}`, ...facts].filter(Boolean).join("; ")}`;
  });
  const tasks = openTasks.map(({ id, priority, assignee, snoozedUntil, latestRowCount }) => {
    const facts = [
      assignee ? `of ${assignee.name}` : "of nobody",
      `latest ${plural(latestRowCount, "row")}`,
      snoozedUntil && `snoozed until ${snoozedUntil}`,
    ];
    return `- ${id}: ${[priority, ...facts].filter(Boolean).join("; ")}`;
  });
  const found = anomalies.map(
    ({ id, detectedAt, severity, explanation, acknowledged }) =>
      `- ${id}: ${detectedAt} ${severity}: ${explanation}${acknowledged ? " (acknowledged)" : ""}`,
  );
  return [
    `${subscriptionId}: ${subscriptionName}${folderPath === null ? "" : ` (${folderPath})`}, ${cronExpression}`,
    ...section("Latest executions", runs, "Never run."),
    ...section("Open tasks", tasks, "No open task."),
    ...section(
      `Anomalies of the last ${plural(detail.timeRangeDays, "day")}`,
      found,
      `No anomaly in the last ${plural(detail.timeRangeDays, "day")}.`,
    ),
  ].join("\n");
}

const section = (title: string, lines: readonly string[], nothing: string) =>
  lines.length === 0 ? [nothing] : [`${title}:`, ...lines];
