import {
  BellOff,
  ChartSpline,
  CircleCheck,
  FileText,
  type LucideIcon,
  MailCheck,
  MailX,
  OctagonX,
  Rows3,
  Ruler,
  TimerOff,
  UserX,
} from "@/components/ui/icons.tsx";
import type { StatusKind } from "@/components/ui/status.tsx";
import { foundWords, runWords } from "@/server/subscriptions/outcome-words.ts";
import type { OutcomeOf, ToldState } from "@/server/subscriptions/schema.ts";

/** How a run looks: its most urgent fact determines the icon and the bar. Pure. */

export type Outcome = OutcomeOf<string | Date>;

export type OutcomeLook = {
  kind: StatusKind;
  icon?: LucideIcon;
  /** The look's name in the legend. */
  word: string;
  hint: string;
  /** The bar: its height relative to the tallest one, and its shape. */
  bar: { height: number; shape: "full" | "hollow" | "dashed" | "struck" | "pointed" | "split" };
};

export const outcomeLooks = {
  undelivered: {
    kind: "warning",
    icon: MailX,
    word: "Delivery failed",
    hint: "The run notified, but a message did not arrive. See Deliveries for the reason.",
    bar: { height: 1, shape: "struck" },
  },
  unusual: {
    kind: "warning",
    icon: ChartSpline,
    word: "Unusual",
    hint: "The result differs from what is usual and has not been acknowledged.",
    bar: { height: 0.8, shape: "full" },
  },
  untold: {
    kind: "warning",
    icon: UserX,
    word: "Rows found, nobody to tell",
    hint: "The condition was met, but there was no enabled recipient to notify.",
    bar: { height: 1, shape: "hollow" },
  },
  found: {
    kind: "warning",
    icon: Rows3,
    word: "Rows found",
    hint: "The condition was met, and recipients were notified.",
    bar: { height: 1, shape: "full" },
  },
  silenced: {
    kind: "warning",
    icon: BellOff,
    word: "Rows found, silenced",
    hint: "The condition was met while silenced, so nobody was notified.",
    bar: { height: 1, shape: "dashed" },
  },
  report: {
    kind: "neutral",
    icon: FileText,
    word: "Report",
    hint: "This subscription sends every result.",
    bar: { height: 0.6, shape: "full" },
  },
  nothing: {
    kind: "ok",
    icon: CircleCheck,
    word: "Nothing to tell",
    hint: "It ran and found nothing that meets its condition.",
    bar: { height: 0.4, shape: "full" },
  },
  below: {
    kind: "warning",
    icon: Ruler,
    word: "Not above the threshold",
    hint: "There were rows, but not more than the threshold, so nobody was notified. Counts as not successful.",
    bar: { height: 0.65, shape: "split" },
  },
  failed: {
    kind: "critical",
    icon: OctagonX,
    word: "Could not run",
    hint: "The query could not be run. Counts as not successful.",
    bar: { height: 1, shape: "pointed" },
  },
  timedOut: {
    kind: "critical",
    icon: TimerOff,
    word: "Timed out",
    hint: "The time limit was reached before a result. Counts as not successful.",
    bar: { height: 1, shape: "split" },
  },
  running: {
    kind: "running",
    word: "Running",
    hint: "Waiting or running. Counts as not successful until it ends.",
    bar: { height: 0.4, shape: "hollow" },
  },
} satisfies Record<string, OutcomeLook>;

export type OutcomeLookName = keyof typeof outcomeLooks;
export const outcomeLookNames = Object.keys(outcomeLooks) as OutcomeLookName[];

/** Looks that are not successes although nothing failed; explained wherever they are listed. */
export const hintedLooks = ["below", "running"] as const satisfies readonly OutcomeLookName[];

/** A run as one mark, such as a bar: its most urgent fact. Green means only one thing: it found nothing to tell. */
export function lookNameOf(outcome: Outcome): OutcomeLookName {
  const { run, told } = outcome;
  const found = foundNameOf(outcome);
  if (run === "Ran" && isFailing(told)) return "undelivered";
  if (found !== "found") return found;
  if (told.state === "Silenced") return "silenced";
  return told.state === "NobodyToTell" ? "untold" : "found";
}

export const lookOf = (outcome: Outcome): OutcomeLook => outcomeLooks[lookNameOf(outcome)];

/** What the run found, or that it has found nothing out: never who was told of it. */
function foundNameOf({ run, found }: Outcome): OutcomeLookName {
  if (run === "Running") return "running";
  if (run === "TimedOut") return "timedOut";
  if (run === "CouldNotRun" || !found) return "failed";
  if (found.isUsual === false && !found.isAcknowledged) return "unusual";
  if (found.verdict === "Report") return "report";
  if (found.verdict === "Nothing") return "nothing";
  return found.verdict === "BelowThreshold" ? "below" : "found";
}

export type FactLook = Pick<OutcomeLook, "kind" | "icon" | "hint">;

/** What the run found as a fact of its own. */
export function foundLookOf(outcome: Outcome): FactLook {
  const name = foundNameOf(outcome);
  return name === "found" ? { ...outcomeLooks.found, hint: "The condition was met." } : outcomeLooks[name];
}

/** Who was told, each state with its look. */
export const toldLooks: Record<ToldState, FactLook> = {
  NothingToTell: { kind: "neutral", hint: "Nothing that would notify anyone." },
  NobodyToTell: {
    kind: "neutral",
    icon: UserX,
    hint: "There was something to tell, but no enabled recipient.",
  },
  Silenced: { kind: "neutral", icon: BellOff, hint: "Notifications were silenced, so nobody was told." },
  Sending: { kind: "running", hint: "Notifications are on their way." },
  Told: { kind: "neutral", icon: MailCheck, hint: "The message reached every recipient’s server." },
  Retrying: { kind: "warning", icon: MailX, hint: "A message did not arrive and is sent again." },
  DeliveryFailed: {
    kind: "warning",
    icon: MailX,
    hint: "A message did not arrive. See Deliveries for the reason.",
  },
};

/** "22 rows", "Nothing found", "Could not run". */
export function headWords({ run, found }: Outcome): string {
  if (!found) return capitalized(runWords[run]);
  const words = foundWords(found);
  return found.rowCount === 0 ? words.replace(/^nothing/, "Nothing found") : words;
}

const failing: readonly ToldState[] = ["Retrying", "DeliveryFailed"];

/** Whether a notification has failed and may never arrive. */
export const isFailing = ({ state }: Pick<Outcome["told"], "state">): boolean => failing.includes(state);

/** Whether the outcome will change soon. */
export const isUnderWay = ({ run, told }: Outcome): boolean => run === "Running" || told.state === "Sending";

const capitalized = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
