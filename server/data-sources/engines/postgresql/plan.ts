import { z } from "zod";
import type { Cell, Check } from "../engine.ts";

type Node = { "Node Type": string; Plans?: Node[] | undefined };

const node: z.ZodType<Node> = z.object({
  "Node Type": z.string(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ Plan: node })]);
/** Of the top node, and so of all below it; without costs it has neither. */
const estimated = z.tuple([
  z.object({ Plan: z.object({ "Total Cost": z.number(), "Plan Rows": z.number() }) }),
]);

/** What a plan (EXPLAIN, as JSON) says. One that nothing is understood of reads a table. */
export function checkOf(plan: Cell): Check {
  const json = readJson(plan);
  const { success, data } = explained.safeParse(json);
  return { scans: !(success && isAnsweredByIndex(data[0].Plan)), ...estimatesIn(json) };
}

/**
 * Whether the answer is at the end of an index: PostgreSQL turns `max(column)` into the first row of a backward
 * index scan, under a Result that reads nothing itself. Anything else reads a table.
 */
const isAnsweredByIndex = ({ "Node Type": type, Plans: plans = [] }: Node): boolean =>
  type === "Result" && plans.length > 0 && plans.every(endsInIndex);

function endsInIndex({ "Node Type": type, Plans: plans = [] }: Node): boolean {
  if (plans.length === 0) return /^Index (Only )?Scan$/.test(type);
  return plans.every(endsInIndex);
}

function estimatesIn(json: unknown): Pick<Check, "estimatedCost" | "estimatedRows"> {
  const { success, data } = estimated.safeParse(json);
  if (!success) return {};
  const { "Total Cost": estimatedCost, "Plan Rows": estimatedRows } = data[0].Plan;
  return { estimatedCost, estimatedRows };
}

function readJson(text: Cell): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
