import type { Fact, NotificationContent } from "../notifications/content.ts";
import { isolated } from "../notifications/isolated.ts";
import { silencing, takingTask } from "../notifications/message-actions.ts";
import { utcMinute, writtenMoment } from "../notifications/moments.ts";
import { sparkline } from "../notifications/sparkline.ts";
import { figure, plural } from "../text.ts";
import type { AlertNews } from "./alert-policy.ts";
import type { Decimal } from "./decimal.ts";
import { roundScore } from "./score.ts";

/** The content of an alert, before a channel formats it. */

export type FailedRule = {
  key: string;
  name: string;
  score: Decimal;
  expectedValue: string | null;
  actualValue: string | null;
  message: string | null;
};

type Alert = {
  contract: { id: number; name: string; failureThreshold: number; timezone: string };
  /** The evaluated table; an edit may have changed the contract's table since. */
  table: { schemaName: string; tableName: string };
  overallScore: number;
  passedCount: number;
  failed: readonly FailedRule[];
  news: AlertNews;
  /** The alert before this evaluation; null if it opens now. */
  open: { openedAt: Date; lastToldScore: number; toldNotEvaluated: boolean } | null;
  /** Keys of failing rules that have not been reported since the alert opened. */
  newlyFailing: readonly string[];
  /** Scores of the latest evaluations, this one last; null for one that could not be measured. */
  recentScores: readonly (number | null)[];
  /** The contract's open task, if that is nobody's. */
  freeTaskId: number | null;
  /** Why no rule could be measured; null if rules were. */
  outage: { reason: string; lastMeasured: { score: number; evaluatedAt: Date } | null } | null;
};

export function alertContent(alert: Alert): NotificationContent {
  const { contract, table, overallScore, passedCount, failed, outage } = alert;
  const measured = (value: string) => (outage ? `${value} (not measured)` : value);
  return {
    title: `[Data Quality] ${contract.name}`,
    tone: alert.news === "Recovered" ? "Good" : "Critical",
    summary: summaryOf(alert),
    facts: [
      { label: "Overall score", value: measured(String(overallScore)) },
      { label: "Threshold", value: String(contract.failureThreshold) },
      { label: "Table", value: targetOf(table) },
      { label: "Rules passed", value: figure(passedCount) },
      { label: "Rules failed", value: measured(figure(failed.length)) },
      ...trendFacts(alert.recentScores),
    ],
    groups: failed.map(({ name, score, expectedValue, actualValue, message }) => ({
      title: name,
      facts: [
        { label: "Score", value: String(roundScore(score)) },
        ...told("Expected", expectedValue),
        ...told("Actual", actualValue),
        ...told("Message", message),
      ],
    })),
    ...momentsOf(alert),
    ...chartOf(alert),
    link: { label: "Open the contract", path: `/data-quality/contracts/${contract.id}` },
    ...(alert.news !== "Recovered" && {
      actions: [
        ...silencing("contract", contract.id),
        ...(alert.freeTaskId === null ? [] : [takingTask(alert.freeTaskId)]),
      ],
    }),
  };
}

/** The times in the summary. */
function momentsOf({ open, outage, contract }: Alert) {
  const times = [open?.openedAt, outage?.lastMeasured?.evaluatedAt].filter((at) => at !== undefined);
  return times.length === 0 ? {} : { moments: times.map((at) => writtenMoment(at, contract.timezone)) };
}

function trendFacts(scores: Alert["recentScores"]): Fact[] {
  const bars = sparkline(scores);
  if (bars === "") return [];
  const known = scores.filter((score) => score !== null);
  const range = `${Math.min(...known)} to ${Math.max(...known)}`;
  return [{ label: `The last ${plural(scores.length, "evaluation")}`, value: `${bars}  ${range}` }];
}

/** The same scores, for channels that show pictures. */
function chartOf({ recentScores, contract }: Alert): Pick<NotificationContent, "chart"> {
  if (sparkline(recentScores) === "") return {};
  const name = `Score of the last ${plural(recentScores.length, "evaluation")}`;
  const limit = { is: "AtLeast" as const, value: contract.failureThreshold };
  return { chart: { name, values: [...recentScores], from: 0, to: 100, limit } };
}

/** One sentence on what happened and, after the first alert, what has changed. */
function summaryOf(alert: Alert): string {
  const { contract, table, overallScore, failed, news, open, outage } = alert;
  const target = isolated(targetOf(table));
  const { failureThreshold } = contract;
  const openSince = open ? ` since ${utcMinute(open.openedAt)}` : "";
  if (news === "Recovered")
    return `${target} recovered: it scored ${overallScore} (threshold ${failureThreshold}). The alert had been open${openSince}.`;
  const more = news === "Reminder" || news === "StillOpen" ? [`The alert has been open${openSince}.`] : [];
  if (outage) {
    const { reason, lastMeasured } = outage;
    const before = lastMeasured
      ? `The last measured score is ${lastMeasured.score}, from ${utcMinute(lastMeasured.evaluatedAt)}.`
      : "It has not been measured yet.";
    return [`${target} could not be evaluated: ${sentence(reason)}`, before, ...more].join(" ");
  }
  if (news === "Changed") more.push(...changes(alert));
  const what = `${target} scored ${overallScore}, below the threshold of ${failureThreshold}: ${plural(failed.length, "rule")} failed.`;
  return [what, ...more].join(" ");
}

function changes({ overallScore, failed, open, newlyFailing }: Alert): string[] {
  if (open?.toldNotEvaluated) return ["The data source can be reached again."];
  const isWorse = open !== null && overallScore < open.lastToldScore;
  const names = failed.filter(({ key }) => newlyFailing.includes(key)).map(({ name }) => isolated(name));
  return [
    ...(isWorse ? [`The last alert reported ${open.lastToldScore}.`] : []),
    ...(names.length > 0 ? [`Newly failing: ${names.join(", ")}.`] : []),
  ];
}

const targetOf = ({ schemaName, tableName }: Alert["table"]) => `${schemaName}.${tableName}`;

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const told = (label: string, value: string | null): Fact[] => (value === null ? [] : [{ label, value }]);
