import type { Briefing } from "../briefing.ts";
import type { Check } from "./check.ts";
import { checkIn } from "./written-check.ts";
import { findingIn, type WrittenFinding } from "./written-finding.ts";

type Existing = Pick<Briefing, "queries" | "pendingActions">;

/** The checks of the actor's own queries, and those pending a decision. */
export const checksOf = (briefing: Existing): Check[] =>
  sqlsOf(briefing).flatMap((sql) => checkIn(sql) ?? []);

/** The findings that these queries look for. */
export const findingsLookedFor = (briefing: Existing): WrittenFinding[] =>
  sqlsOf(briefing).flatMap((sql) => findingIn(sql) ?? []);

function sqlsOf({ queries, pendingActions }: Existing): string[] {
  const pending = pendingActions.flatMap((action) => (action.kind === "CreateQuery" ? [action.sql] : []));
  return [...queries.map(({ sql }) => sql), ...pending];
}

export function namesOf({ queries, pendingActions }: Pick<Briefing, "queries" | "pendingActions">): string[] {
  const pending = pendingActions.flatMap((action) => (action.kind === "CreateQuery" ? [action.name] : []));
  return [...queries.map(({ name }) => name), ...pending];
}
