import type { PlanNode } from "../engine.ts";

type Node = { name?: unknown; children?: unknown; extra_info?: unknown };

/** Reads what EXPLAIN (FORMAT json) answers. DuckDB estimates rows, and has no costs. */
export function planIn(json: string): PlanNode {
  const [root] = JSON.parse(json) as Node[];
  return planOf(root ?? {});
}

function planOf({ name, children, extra_info: extra }: Node): PlanNode {
  const facts = typeof extra === "object" && extra !== null ? (extra as Record<string, unknown>) : {};
  const rows = Number(facts["Estimated Cardinality"] ?? Number.NaN);
  const detail = ["Filters", "Conditions", "Groups", "Order By", "Aggregates", "Expression"]
    .flatMap((fact) => facts[fact])
    .filter((each) => typeof each === "string" && each !== "")
    .join("; ");
  return {
    operation: String(name ?? "").trim(),
    detail: detail === "" ? null : detail.slice(0, 500),
    rows: Number.isFinite(rows) ? rows : null,
    cost: null,
    inputs: Array.isArray(children) ? children.map((child) => planOf(child as Node)) : [],
  };
}
