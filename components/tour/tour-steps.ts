import type { Tour } from "@/server/getting-started/schema.ts";

/**
 * What there is to see in the demo, in the order and with the figures of the README's five minutes. Each step has a
 * button that leads to where it is taken.
 */
export const tourSteps: readonly {
  title: string;
  /** What to look at there. */
  text: string;
  button: string;
  path: (tour: Tour) => string;
}[] = [
  {
    title: "Read what is wrong",
    text: "Nobody said what to look for, and here is what looks wrong: cities called NA, movies from the 2040s, reports that were entered twice. Open one for its rows. Make it a rule, or say that it is no problem.",
    button: "Open findings",
    path: () => "/findings",
  },
  {
    title: "See what runs",
    text: "Ten subscriptions with four days of history. One is Critical: open it, and every run has failed for the same reason.",
    button: "Open Control Tower",
    path: () => "/control-tower",
  },
  {
    title: "Understand a score",
    text: "The rules of this contract are sorted by the points that they cost. Expand the first one for the rows that fail: codes with digits or four letters. The data is right, and the rule is wrong.",
    button: "Open the contract",
    path: ({ contractId }) => contractPath(contractId),
  },
  {
    title: "Fix the rule",
    text: "Expand “Code has three letters”, and change its pattern to ^[A-Z0-9]{3,4}$. “Try it” runs it without saving. Choose “Save and evaluate”: the score goes from 53.83 to 76.90.",
    button: "Edit the contract",
    path: ({ contractId }) => contractPath(contractId, "/edit"),
  },
  {
    title: "Connect an assistant",
    text: "Copy what your assistant needs, then ask it: “Which tables are in bad shape, and why?”",
    button: "Connect an assistant",
    path: () => "/connect",
  },
  {
    title: "Approve a plan",
    text: "An AI actor has read the schema, and proposes queries and subscriptions, each with its reason, its SQL, and what that found. Nothing runs before someone approves it.",
    button: "Open the plan",
    path: ({ planId }) => (planId === null ? "/ai-actors" : `/ai-actors/plans/${planId}`),
  },
];

/** The contract may be archived. */
const contractPath = (id: number | null, more = "") =>
  id === null ? "/data-quality/contracts" : `/data-quality/contracts/${id}${more}`;

/** How far someone is, in a cookie: the number of a step from 1; "over" once they have ended or declined it. */
export const tourCookie = "plumbline.tour";

export type Progress = number | "over" | null;

export function readProgress(cookie: string | undefined): Progress {
  if (cookie === "over") return "over";
  const step = Number(cookie);
  return Number.isInteger(step) && step >= 1 && step <= tourSteps.length ? step : null;
}
