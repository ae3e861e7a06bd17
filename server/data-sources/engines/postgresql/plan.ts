import { z } from "zod";
import type { Cell, Check, CheckLimits } from "../engine.ts";
import type { Explain } from "../explain.ts";

type Node = { "Node Type": string; Plans?: Node[] | undefined };

const node: z.ZodType<Node> = z.object({
  "Node Type": z.string(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ Plan: node })]);
/** Of the top node, which includes all below it; without costs there is neither. */
const estimated = z.tuple([
  z.object({ Plan: z.object({ "Total Cost": z.number(), "Plan Rows": z.number() }) }),
]);

/** In parentheses, so that the options end whatever the statement begins with. */
export async function checkByPlan(explain: Explain, { estimates = false }: CheckLimits): Promise<Check> {
  const { rows } = await explain(`explain (costs ${estimates}, format json)`);
  return checkOf(rows[0]?.[0] ?? null);
}

/** Reads a plan (EXPLAIN, as JSON). An unknown format counts as reading a table. */
function checkOf(plan: Cell): Check {
  const json = readJson(plan);
  const { success, data } = explained.safeParse(json);
  return { scans: !(success && isAnsweredByIndex(data[0].Plan)), ...estimatesIn(json) };
}

/**
 * Whether the answer is at the end of an index: PostgreSQL turns `max(column)` into the first row of a backward index
 * scan, under a Result that reads nothing itself. Anything else reads a table.
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
