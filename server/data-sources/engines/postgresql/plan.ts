import { z } from "zod";
import type { Cell } from "../engine.ts";

type Node = { "Node Type": string; Plans?: Node[] | undefined };

const node: z.ZodType<Node> = z.object({
  "Node Type": z.string(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ Plan: node })]);

/**
 * Whether a plan (EXPLAIN, as JSON) finds its answer at the end of an index: PostgreSQL turns `max(column)` into
 * the first row of a backward index scan, under a Result that reads nothing itself. Anything else reads a table.
 */
export function isAnsweredByIndex(plan: Cell): boolean {
  const parsed = explained.safeParse(readJson(plan));
  if (!parsed.success) return false;
  const { "Node Type": type, Plans: plans = [] } = parsed.data[0].Plan;
  return type === "Result" && plans.length > 0 && plans.every(endsInIndex);
}

function endsInIndex({ "Node Type": type, Plans: plans = [] }: Node): boolean {
  if (plans.length === 0) return /^Index (Only )?Scan$/.test(type);
  return plans.every(endsInIndex);
}

function readJson(text: Cell): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
