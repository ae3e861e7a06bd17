import type { Briefing } from "../briefing.ts";
import type { Check } from "./check.ts";
import { checkIn } from "./written-check.ts";

/** The checks of the actor's own queries, and those that wait for a decision. */
export function checksOf({ queries, pendingActions }: Pick<Briefing, "queries" | "pendingActions">): Check[] {
  const pending = pendingActions.flatMap((action) => (action.kind === "CreateQuery" ? [action.sql] : []));
  return [...queries.map(({ sql }) => sql), ...pending].flatMap((sql) => checkIn(sql) ?? []);
}

export function namesOf({ queries, pendingActions }: Pick<Briefing, "queries" | "pendingActions">): string[] {
  const pending = pendingActions.flatMap((action) => (action.kind === "CreateQuery" ? [action.name] : []));
  return [...queries.map(({ name }) => name), ...pending];
}
