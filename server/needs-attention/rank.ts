import { severityOf } from "../incidents/severity.ts";
import { type Concern, concerns, type Urgency, urgencies } from "./schema.ts";

/**
 * The order of the list, worst first. Pure, and of few distinct values, so that the database can sort by a table of
 * all of them (`everyStanding`).
 */

/** Whose work it is. */
export const holders = ["Mine", "Nobody", "Other"] as const;
export type Holder = (typeof holders)[number];

export type Standing = {
  concern: Concern;
  /** The severity or priority of what it is about, if that has one. */
  severity: Urgency | null;
  /** Only tasks are assigned to someone. */
  holder: Holder;
};

const fixed: Record<Concern, Urgency> = {
  ...severityOf,
  Incident: "High",
  Undelivered: "High",
  Task: "Medium",
  Findings: "Medium",
  Plan: "Medium",
  QueryChange: "Medium",
  CannotNotify: "Medium",
  NeverEvaluated: "Low",
};

/** By severity or priority if there is one; a task that someone else is working on can wait. */
export function urgencyOf({ concern, severity, holder }: Standing): Urgency {
  return holder === "Other" ? "Low" : (severity ?? fixed[concern]);
}

/** Lower is worse: by urgency, then by concern, then mine before nobody's before others'. */
export function rankOf(standing: Standing): number {
  const { concern, holder } = standing;
  const places = [urgencies.indexOf(urgencyOf(standing)), concerns.indexOf(concern), holders.indexOf(holder)];
  return places.reduce((rank, place) => rank * 100 + place, 0);
}

export const standingKey = ({ concern, severity, holder }: Standing): string =>
  `${concern} ${severity ?? "-"} ${holder}`;

/** Every standing there is. */
export const everyStanding: readonly Standing[] = concerns.flatMap((concern) =>
  [null, ...urgencies].flatMap((severity) => holders.map((holder) => ({ concern, severity, holder }))),
);
