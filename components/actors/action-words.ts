import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { plural } from "@/components/ui/format.ts";
import {
  Archive,
  BellOff,
  BellPlus,
  FileDiff,
  FilePlus2,
  ListChecks,
  type LucideIcon,
  Megaphone,
  ShieldCheck,
} from "@/components/ui/icons.tsx";
import type { Action } from "@/server/actors/schema.ts";

export type ActionKind = Action["kind"];

/** What each kind of action does, with its icon. */
export const kindWords: Record<ActionKind, { icon: LucideIcon; word: string }> = {
  CreateQuery: { icon: FilePlus2, word: "Create query" },
  CreateSubscription: { icon: BellPlus, word: "Create subscription" },
  RefineQuery: { icon: FileDiff, word: "Refine query" },
  ArchiveQuery: { icon: Archive, word: "Archive query" },
  ArchiveSubscription: { icon: BellOff, word: "Archive subscription" },
  SendNotification: { icon: Megaphone, word: "Send notification" },
  CreateContract: { icon: ShieldCheck, word: "Create contract" },
  AddRules: { icon: ListChecks, word: "Add rules" },
};

/** A short title for an action. */
export function actionTitle(action: Action): string {
  switch (action.kind) {
    case "CreateQuery":
    case "CreateContract":
      return action.name;
    case "AddRules":
      return action.contractName;
    case "CreateSubscription":
      return action.queryName ?? `Query ${action.queryId}`;
    case "SendNotification":
      return action.subject;
    default:
      return action.queryName;
  }
}

/** The line below the title: when it would run, who gets it. */
export function actionDetail(action: Action): string | null {
  if ("rules" in action)
    return `${action.schemaName}.${action.tableName}, ${plural(action.rules.length, "rule")}`;
  if (action.kind === "CreateSubscription")
    return `${cronWords(action.cronExpression)}${action.timezone === "UTC" ? "" : `, ${action.timezone}`}`;
  return action.kind === "SendNotification" ? `${action.severity} severity` : null;
}

export const cronWords = (expression: string) => scheduleWords(expression) ?? expression;

export type EvidenceState = "valid" | "failing" | "none";

/** The state of an action's evidence; some kinds need none. */
export const evidenceOf = ({ evidence }: Pick<Action, "evidence">): EvidenceState =>
  evidence === undefined ? "none" : evidence.valid ? "valid" : "failing";

export const evidenceWords: Record<EvidenceState, string> = {
  valid: "Evidence holds",
  failing: "Evidence fails",
  none: "No evidence needed",
};
