import type { NotificationContent } from "../notifications/content.ts";
import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import type { FoundAnomaly } from "./anomaly.ts";
import type { Condition, IncidentKind } from "./schema.ts";

/** What people are told of a subscription, before any channel gives it a form. */

type About = {
  subscription: { id: number; projectId: number; condition: Condition; recipientIds: readonly number[] };
  execution: { id: number; executedAt: Date };
  queryName: string;
};

type Result = {
  columns: readonly { name: string }[];
  rows: (string | number | boolean | null)[][];
  rowCount: number;
  truncated: boolean;
};

/** An e-mail shows so many rows; the others are in its attachment. */
const shownRows = 20;

const figures = new Intl.NumberFormat("en");
const counted = (rows: number) => `${figures.format(rows)} ${rows === 1 ? "row" : "rows"}`;

/** A condition as a sentence says it. */
export function conditionInWords({ kind, threshold }: Condition): string {
  return {
    Always: "whatever the query returns",
    RowsFound: "when the query returns rows",
    RowCountAbove: `when the query returns more than ${counted(threshold ?? 0)}`,
    RowCountBelow: `when the query returns fewer than ${counted(threshold ?? 0)}`,
  }[kind];
}

const linkTo = (subscriptionId: number) => ({
  label: "Open the subscription",
  path: `/subscriptions/${subscriptionId}`,
});

/** A condition that was met: the first rows for reading, all of them attached, and the anomaly that came with them. */
export function resultNotification(
  { subscription, execution, queryName }: About,
  { columns, rows, rowCount, truncated }: Result,
  anomaly: FoundAnomaly | null,
): NotificationRequest {
  const names = columns.map(({ name }) => name);
  const content: NotificationContent = {
    title: `${queryName}: ${counted(rowCount)}`,
    tone: toneOf(subscription.condition, anomaly),
    summary: `${queryName} returned ${counted(rowCount)}.`,
    facts: [
      { label: "Rows", value: figures.format(rowCount) },
      { label: "Notifies", value: conditionInWords(subscription.condition) },
      { label: "Executed", value: timeWords(execution.executedAt) },
      ...anomalyFacts(anomaly),
    ],
    ...(rows.length > 0 && { table: { columns: names, rows: rows.slice(0, shownRows), rowCount } }),
    link: linkTo(subscription.id),
    ...(truncated && {
      note: `The result is large: the first ${figures.format(rows.length)} of ${counted(rowCount)} are attached.`,
    }),
  };
  return {
    projectId: subscription.projectId,
    cause: { kind: "Execution", id: execution.id },
    content,
    ...(rows.length > 0 && { csv: { fileName: queryName, columns: names, rows } }),
    recipientIds: subscription.recipientIds,
  };
}

/** An anomaly in a result that would not have been told of otherwise. */
export function anomalyNotification(
  { subscription, execution, queryName }: About,
  anomaly: FoundAnomaly,
): NotificationRequest {
  return {
    projectId: subscription.projectId,
    cause: { kind: "Execution", id: execution.id },
    content: {
      title: `${queryName}: unusual result`,
      tone: toneOf(subscription.condition, anomaly),
      summary: `${anomaly.explanation}.`,
      facts: [
        { label: "Executed", value: timeWords(execution.executedAt) },
        { label: "Severity", value: anomaly.severity },
      ],
      link: linkTo(subscription.id),
    },
    recipientIds: subscription.recipientIds,
  };
}

function toneOf({ kind }: Condition, anomaly: FoundAnomaly | null): NotificationContent["tone"] {
  if (anomaly?.severity === "Critical") return "Critical";
  return kind === "Always" && !anomaly ? "Info" : "Warning";
}

const anomalyFacts = (anomaly: FoundAnomaly | null) =>
  anomaly ? [{ label: `Unusual (${anomaly.severity})`, value: anomaly.explanation }] : [];

type Incident = { id: number; kind: IncidentKind; reason: string };

const incidentTitles: Record<IncidentKind, { begins: string; ends: string }> = {
  Failing: { begins: "keeps failing", ends: "works again" },
  Stalled: { begins: "has stalled", ends: "runs again" },
  Undeliverable: { begins: "cannot notify everybody", ends: "reaches everybody again" },
};

/** That a subscription cannot do its work, for those who look after it. */
export function incidentNotification(
  { id: subscriptionId, projectId }: { id: number; projectId: number },
  queryName: string,
  { id, kind, reason }: Incident,
  moment: "begins" | "ends",
): Omit<NotificationRequest, "userIds" | "recipientIds"> {
  const says = incidentTitles[kind][moment];
  return {
    projectId,
    cause: { kind: "Monitor", id },
    dedupeKey: moment,
    content: {
      title: `${queryName} ${says}`,
      tone: moment === "begins" ? "Critical" : "Good",
      summary:
        moment === "begins"
          ? `The subscription to ${queryName} ${says}: ${reason}`
          : `The subscription to ${queryName} ${says}.`,
      facts: moment === "begins" ? [] : [{ label: "It was", value: reason }],
      link: linkTo(subscriptionId),
    },
  };
}

/** To the second, as people read it: a recipient has no time zone of its own. */
const timeWords = (at: Date) => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
