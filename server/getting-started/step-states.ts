import type { ServedGuide } from "./schema.ts";
import { type GuideStep, guideSteps } from "./steps.ts";

/** How long contracts or subscriptions run before nobody needs to be guided any more, in days. */
export const guidedDays = 7;

type Known = Pick<ServedGuide, "source" | "scan" | "contract" | "recipient">;

/**
 * Whether each step is done, as far as what exists tells: a database is connected, its tables have been looked at, a
 * contract has rules for one of them, a message has reached a recipient, and a contract has a score. A scan that was
 * stopped by a person has shown what they wanted to see. Pure.
 */
export function doneSteps({ source, scan, contract, recipient }: Known): Record<GuideStep, boolean> {
  return {
    Connect: source !== null,
    Tables: scan?.status === "Completed" || (scan?.status === "Stopped" && scan.tables > 0),
    Rules: contract !== null,
    Recipient: recipient?.wasReached === true,
    Score: contract !== null && contract.score !== null,
  };
}

export function statesOf(known: Known, skipped: readonly GuideStep[]): ServedGuide["steps"] {
  const done = doneSteps(known);
  return guideSteps.map((step) => ({
    step,
    state: done[step] ? "Done" : skipped.includes(step) ? "Skipped" : "Open",
  }));
}
