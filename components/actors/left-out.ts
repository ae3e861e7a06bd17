import { needOf, withDependents, withNeeds } from "@/server/actors/action-dependencies.ts";
import type { Action } from "@/server/actors/schema.ts";

/**
 * Which actions are left out after one was taken or left out: what needs it is left out with it, and what it needs is
 * taken with it. Pure.
 */
export function leftOutAfter(
  actions: readonly Action[],
  leftOut: ReadonlySet<number>,
  index: number,
  isTaken: boolean,
): Set<number> {
  if (!isTaken) return withDependents(actions, new Set([...leftOut, index]));
  const taken = withNeeds(actions, new Set([index]));
  return new Set([...leftOut].filter((each) => !taken.has(each)));
}

/** In words, what went along: "Subscriptions need their query, so …"; null if nothing needs anything. */
export function needsInWords(actions: readonly Action[], leftOut: ReadonlySet<number>): string | null {
  const along = actions.filter((action) => {
    const need = needOf(actions, action);
    return need !== null && leftOut.has(need);
  });
  if (along.length === 0) return null;
  const numbers = along.map((action) => action.index + 1);
  const listed =
    numbers.length === 1 ? numbers[0] : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
  return `${along.length === 1 ? "Action" : "Actions"} ${listed} cannot run without the query that is left out.`;
}
