import { type PlanNode, type ResultSet, SourceError } from "../engine.ts";

/** The rows that a statement would read, by EXPLAIN ESTIMATE; null if it names no table of the MergeTree family. */
export function estimatedRowsIn({ columns, rows }: ResultSet): number | null {
  const at = columns.findIndex(({ name }) => name === "rows");
  if (rows.length === 0 || at < 0) return null;
  return rows.reduce((sum, row) => sum + Number(row[at]), 0);
}

type Step = {
  "Node Type"?: unknown;
  Description?: unknown;
  Indexes?: unknown;
  Plans?: unknown;
};

/** The tree of EXPLAIN json = 1. It has no costs; what an index leaves is told in granules. */
export function planIn({ rows }: ResultSet): PlanNode {
  const text = rows.map(([line]) => String(line)).join("\n");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new SourceError("statement", "The server described its plan in a way that cannot be read");
  }
  const [first] = Array.isArray(parsed) ? parsed : [];
  return nodeOf((first as { Plan?: Step } | undefined)?.Plan ?? {});
}

function nodeOf(step: Step): PlanNode {
  const granules = Array.isArray(step.Indexes) ? granulesOf(step.Indexes.at(-1)) : null;
  const details = [step.Description, granules].filter((each) => typeof each === "string" && each !== "");
  return {
    operation: String(step["Node Type"] ?? "Unknown"),
    detail: details.length > 0 ? details.join(", ") : null,
    rows: null,
    cost: null,
    inputs: Array.isArray(step.Plans) ? step.Plans.map((each: Step) => nodeOf(each)) : [],
  };
}

function granulesOf(index: unknown): string | null {
  const { "Selected Granules": selected, "Initial Granules": all } = (index ?? {}) as Record<string, unknown>;
  return typeof selected === "number" && typeof all === "number"
    ? `reads ${selected} of ${all} granules`
    : null;
}
