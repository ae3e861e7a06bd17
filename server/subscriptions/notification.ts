import type { NotificationContent } from "../notifications/content.ts";
import { acknowledging, silencing, takingTask } from "../notifications/message-actions.ts";
import { writtenMoment } from "../notifications/moments.ts";
import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import { sparkline } from "../notifications/sparkline.ts";
import { figure, plural } from "../text.ts";
import type { FoundAnomaly } from "./anomaly.ts";
import type { Condition, IncidentKind } from "./schema.ts";

/** The content of notifications about a subscription, before a channel formats it. */

type About = {
  subscription: { id: number; projectId: number; condition: Condition; recipientIds: readonly number[] };
  execution: { id: number; executedAt: Date };
  title: string;
};

/** What is told about a result besides itself. */
export type RunNews = {
  /** Row counts of the latest runs, this one last; null for one that could not run. */
  recent: readonly (number | null)[];
  /** Positions of rows that the run before did not return; null if that is not known. */
  newRows: readonly number[] | null;
  /** The usual row count, if that is what is judged; both inclusive. */
  usual: { low: number; high: number } | null;
};

/** What someone can do about it. */
export type Offered = {
  /** To acknowledge; null if there is none. */
  anomalyId: number | null;
  /** An open task that is nobody's; null if there is none. */
  freeTaskId: number | null;
};

type Result = {
  columns: readonly { name: string }[];
  rows: (string | number | boolean | null)[][];
  rowCount: number;
  truncated: boolean;
};

/** The number of rows in an email; the rest are in its attachment. */
const shownRows = 20;

/** A condition as part of a sentence. */
export function conditionInWords({ kind, threshold }: Condition): string {
  return {
    Always: "whatever the query returns",
    RowsFound: "when the query returns rows",
    RowCountAbove: `when the query returns more than ${plural(threshold ?? 0, "row")}`,
    RowCountBelow: `when the query returns fewer than ${plural(threshold ?? 0, "row")}`,
  }[kind];
}

const linkTo = (subscriptionId: number) => ({
  label: "Open the subscription",
  path: `/subscriptions/${subscriptionId}`,
});

/** A condition that is met: the first rows in the message, all of them attached, and the anomaly, if any. */
export function resultNotification(
  { subscription, execution, title }: About,
  { columns, rows, rowCount, truncated }: Result,
  anomaly: FoundAnomaly | null,
  { recent, newRows, usual, ...offered }: RunNews & Offered,
): NotificationRequest {
  const names = columns.map(({ name }) => name);
  const content: NotificationContent = {
    title: `${title}: ${plural(rowCount, "row")}`,
    tone: toneOf(subscription.condition, anomaly),
    summary: `${title} returned ${plural(rowCount, "row")}.`,
    facts: [
      { label: "Rows", value: figure(rowCount) },
      ...(newRows === null ? [] : [{ label: "New since the run before", value: figure(newRows.length) }]),
      ...trendFacts(recent),
      { label: "Notifies", value: conditionInWords(subscription.condition) },
      { label: "Executed", value: timeWords(execution.executedAt) },
      ...anomalyFacts(anomaly),
    ],
    ...(rows.length > 0 && {
      table: {
        ...{ columns: names, rows: rows.slice(0, shownRows), rowCount },
        ...(newRows && { newRows: newRows.filter((place) => place < shownRows) }),
      },
    }),
    ...chartOf(subscription.condition, recent, usual),
    link: linkTo(subscription.id),
    // Nobody needs to do anything about a report.
    ...((subscription.condition.kind !== "Always" || anomaly) && {
      actions: actionsOf(subscription.id, offered),
    }),
    ...(truncated && {
      note: `The result is large: the first ${figure(rows.length)} of ${plural(rowCount, "row")} are attached.`,
    }),
  };
  return {
    projectId: subscription.projectId,
    cause: { kind: "Execution", id: execution.id },
    content,
    ...(rows.length > 0 && { csv: { fileName: title, columns: names, rows } }),
    recipientIds: subscription.recipientIds,
  };
}

/** An anomaly in a result that would not otherwise be reported. */
export function anomalyNotification(
  { subscription, execution, title }: About,
  anomaly: FoundAnomaly,
  { recent, usual, ...offered }: Omit<RunNews, "newRows"> & Offered,
): NotificationRequest {
  return {
    projectId: subscription.projectId,
    cause: { kind: "Execution", id: execution.id },
    content: {
      title: `${title}: unusual result`,
      tone: toneOf(subscription.condition, anomaly),
      summary: `${anomaly.explanation}.`,
      facts: [
        { label: "Executed", value: timeWords(execution.executedAt) },
        { label: "Severity", value: anomaly.severity },
      ],
      ...chartOf(subscription.condition, recent, usual),
      link: linkTo(subscription.id),
      actions: actionsOf(subscription.id, offered),
    },
    recipientIds: subscription.recipientIds,
  };
}

const actionsOf = (subscriptionId: number, { anomalyId, freeTaskId }: Offered) => [
  ...(anomalyId === null ? [] : [acknowledging(anomalyId)]),
  ...silencing("subscription", subscriptionId),
  ...(freeTaskId === null ? [] : [takingTask(freeTaskId)]),
];

function toneOf({ kind }: Condition, anomaly: FoundAnomaly | null): NotificationContent["tone"] {
  if (anomaly?.severity === "Critical") return "Critical";
  return kind === "Always" && !anomaly ? "Info" : "Warning";
}

function trendFacts(recent: RunNews["recent"]) {
  const bars = sparkline(recent);
  if (bars === "") return [];
  const counts = recent.filter((count) => count !== null);
  const range = `${figure(Math.min(...counts))} to ${plural(Math.max(...counts), "row")}`;
  return [{ label: `The last ${plural(recent.length, "run")}`, value: `${bars}  ${range}` }];
}

/** The row counts of the latest runs, for channels that show pictures. Rows themselves are never in it. */
function chartOf(
  { kind, threshold }: Condition,
  recent: RunNews["recent"],
  usual: RunNews["usual"],
): Pick<NotificationContent, "chart"> {
  if (sparkline(recent) === "") return {};
  const limit = {
    Always: undefined,
    RowsFound: { is: "AtMost" as const, value: 0 },
    RowCountAbove: { is: "AtMost" as const, value: threshold ?? 0 },
    RowCountBelow: { is: "AtLeast" as const, value: threshold ?? 0 },
  }[kind];
  const name = `Rows of the last ${plural(recent.length, "run")}`;
  return { chart: { name, values: [...recent], ...(limit && { limit }), ...(usual && { usual }) } };
}

const anomalyFacts = (anomaly: FoundAnomaly | null) =>
  anomaly ? [{ label: `Unusual (${anomaly.severity})`, value: anomaly.explanation }] : [];

type Incident = { id: number; kind: IncidentKind; reason: string };

const incidentTitles: Record<IncidentKind, { begins: string; ends: string }> = {
  Failing: { begins: "keeps failing", ends: "works again" },
  Stalled: { begins: "has stalled", ends: "is running again" },
  Undeliverable: { begins: "cannot notify everyone", ends: "notifies everyone again" },
};

/** That a subscription cannot do its work, or can again, for the people responsible for it. */
export function incidentNotification(
  { id: subscriptionId, projectId, timezone }: { id: number; projectId: number; timezone: string },
  title: string,
  { id, kind, reason }: Incident,
  moment: "begins" | "ends",
): Omit<NotificationRequest, "userIds" | "recipientIds"> {
  const says = incidentTitles[kind][moment];
  return {
    projectId,
    cause: { kind: "Monitor", id },
    dedupeKey: moment,
    content: {
      title: `${title} ${says}`,
      tone: moment === "begins" ? "Critical" : "Good",
      summary:
        moment === "begins"
          ? `The subscription to ${title} ${says}: ${reason}`
          : `The subscription to ${title} ${says}.`,
      facts: moment === "begins" ? [] : [{ label: "It was", value: reason }],
      ...(kind === "Stalled" && {
        moments: [...reason.matchAll(isoTime)].map(([words]) =>
          writtenMoment(new Date(words), timezone, words),
        ),
      }),
      link: linkTo(subscriptionId),
    },
  };
}

/** How the reason of a stalled subscription has the time at which it was due. */
const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Precise to the second, in UTC: recipients have no time zone. */
const timeWords = (at: Date) => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
