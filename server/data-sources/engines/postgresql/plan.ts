import { z } from "zod";
import { type Cell, type Check, type CheckLimits, type PlanNode, SourceError } from "../engine.ts";
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

type Described = {
  "Node Type": string;
  "Plan Rows"?: number | undefined;
  "Total Cost"?: number | undefined;
  "Join Type"?: string | undefined;
  "Relation Name"?: string | undefined;
  Alias?: string | undefined;
  "Index Name"?: string | undefined;
  "CTE Name"?: string | undefined;
  Filter?: string | undefined;
  Plans?: Described[] | undefined;
};

const described: z.ZodType<Described> = z.object({
  "Node Type": z.string(),
  "Plan Rows": z.number().optional(),
  "Total Cost": z.number().optional(),
  "Join Type": z.string().optional(),
  "Relation Name": z.string().optional(),
  Alias: z.string().optional(),
  "Index Name": z.string().optional(),
  "CTE Name": z.string().optional(),
  Filter: z.string().optional(),
  get Plans() {
    return z.array(described).optional();
  },
});

/** The plan as a tree. Never with ANALYZE, which would run the statement. */
export async function readPlan(explain: Explain): Promise<PlanNode> {
  const { rows } = await explain("explain (costs true, format json)");
  return planIn(rows[0]?.[0] ?? null);
}

export function planIn(plan: Cell): PlanNode {
  const { success, data } = z.tuple([z.object({ Plan: described })]).safeParse(readJson(plan));
  if (!success) throw new SourceError("statement", "The server's plan could not be read");
  return nodeOf(data[0].Plan);
}

function nodeOf(node: Described): PlanNode {
  const { "Node Type": type, "Join Type": join, "Relation Name": table, Alias: alias, Filter: filter } = node;
  const detail = [
    table && (alias && alias !== table ? `${table} as ${alias}` : table),
    node["CTE Name"],
    node["Index Name"] && `index ${node["Index Name"]}`,
    filter && `where ${filter}`,
  ].filter(Boolean);
  return {
    operation: join && join !== "Inner" ? `${type} (${join})` : type,
    detail: detail.length > 0 ? detail.join(", ") : null,
    rows: node["Plan Rows"] ?? null,
    cost: node["Total Cost"] ?? null,
    inputs: (node.Plans ?? []).map(nodeOf),
  };
}
