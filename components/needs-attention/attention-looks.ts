import {
  Bot,
  ChartSpline,
  FileCheck2,
  GitPullRequestArrow,
  Hourglass,
  ListChecks,
  type LucideIcon,
  MailX,
  OctagonX,
  Rows3,
  ScanSearch,
  Siren,
} from "@/components/ui/icons.tsx";
import type { StatusKind } from "@/components/ui/status.tsx";
import type { AttentionItem, Concern, Urgency } from "@/server/needs-attention/schema.ts";

/** How an item looks: why it is listed, in a word, and how urgent it is, by its color. Pure. */

type Look = { icon?: LucideIcon; word: string; kind?: StatusKind };

/** Those without a color have that of their urgency. */
const looks: Record<Concern, Look> = {
  Incident: { icon: Siren, word: "Incident" },
  Failing: { kind: "critical", icon: OctagonX, word: "Failing" },
  Stalled: { kind: "stalled", word: "Stalled" },
  CouldNotRun: { kind: "critical", icon: OctagonX, word: "Could not run" },
  NotEvaluated: { kind: "stalled", word: "Could not evaluate" },
  BelowThreshold: { kind: "critical", icon: FileCheck2, word: "Below threshold" },
  Undelivered: { kind: "warning", icon: MailX, word: "Delivery failed" },
  CannotNotify: { kind: "warning", icon: MailX, word: "Cannot notify" },
  Unusual: { kind: "warning", icon: ChartSpline, word: "Unusual" },
  Found: { kind: "warning", icon: Rows3, word: "Rows found" },
  NeverEvaluated: { kind: "neutral", icon: Hourglass, word: "Not evaluated yet" },
  Task: { icon: ListChecks, word: "Task" },
  Findings: { icon: ScanSearch, word: "Findings" },
  Plan: { kind: "neutral", icon: Bot, word: "Plan" },
  QueryChange: { kind: "neutral", icon: GitPullRequestArrow, word: "Query change" },
};

const byUrgency: Record<Urgency, StatusKind> = {
  Critical: "critical",
  High: "warning",
  Medium: "warning",
  Low: "neutral",
};

export function lookOf({ concern, urgency }: Pick<AttentionItem, "concern" | "urgency">) {
  const { kind = byUrgency[urgency], ...look } = looks[concern];
  return { kind, ...look };
}
