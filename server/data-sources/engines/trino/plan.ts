import { type PlanNode, type ResultSet, SourceError } from "../engine.ts";

/** The rows that a statement would return, by EXPLAIN (TYPE IO); null if the server does not know. */
export function estimatedRowsIn(result: ResultSet): number | null {
  const { estimate } = jsonIn(result) as { estimate?: { outputRowCount?: unknown } };
  const rows = estimate?.outputRowCount;
  return typeof rows === "number" ? Math.round(rows) : null;
}

type Step = {
  name?: unknown;
  descriptor?: Record<string, unknown>;
  estimates?: { outputRowCount?: unknown; cpuCost?: unknown }[];
  children?: unknown;
};

/**
 * The tree of EXPLAIN (FORMAT JSON): one tree for each fragment, by its number. Where one reads from others, they are put in
 * its place.
 */
export function planIn(result: ResultSet): PlanNode {
  const fragments = jsonIn(result) as Record<string, Step>;
  const unused = new Set(Object.keys(fragments));
  const take = (number: string): PlanNode[] => {
    const fragment = fragments[number];
    // Each of them once, whatever the server says.
    return fragment && unused.delete(number) ? [nodeOf(fragment)] : [];
  };
  const nodeOf = ({ name, descriptor = {}, estimates = [], children }: Step): PlanNode => {
    const details = [descriptor.table, descriptor.filterPredicate, descriptor.criteria, descriptor.keys];
    const known = details.filter((each) => typeof each === "string" && !/^(\[\])?$/.test(each));
    const estimate = estimates.at(-1);
    const sources = String(descriptor.sourceFragmentIds ?? "").match(/\d+/g) ?? [];
    const inputs = Array.isArray(children) ? children.map((each: Step) => nodeOf(each)) : [];
    return {
      operation: String(name ?? "Unknown"),
      detail: known.length > 0 ? known.join(", ") : null,
      rows: typeof estimate?.outputRowCount === "number" ? Math.round(estimate.outputRowCount) : null,
      cost: null,
      inputs: [...inputs, ...sources.flatMap(take)],
    };
  };
  const [root] = take("0");
  if (!root) throw new SourceError("statement", "The server described its plan in a way that cannot be read");
  return root;
}

function jsonIn({ rows }: ResultSet): unknown {
  try {
    const parsed: unknown = JSON.parse(String(rows[0]?.[0]));
    if (typeof parsed === "object" && parsed !== null) return parsed;
  } catch {}
  throw new SourceError("statement", "The server described its plan in a way that cannot be read");
}
