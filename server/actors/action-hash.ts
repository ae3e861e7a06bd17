import { createHash } from "node:crypto";
import type { ProposedAction } from "./proposal.ts";
import type { ActionFacts } from "./tables.ts";

/** SHA-256 of an action as shown, independent of stored property order. */
export function actionHash(proposed: ProposedAction, facts: ActionFacts): string {
  return createHash("sha256").update(canonical({ proposed, facts })).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(",")}}`;
}
