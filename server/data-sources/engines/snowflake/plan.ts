import { type PlanNode, type ResultSet, SourceError } from "../engine.ts";

type Operation = {
  id?: unknown;
  operation?: unknown;
  parentOperators?: unknown;
  objects?: unknown;
  expressions?: unknown;
  partitionsTotal?: unknown;
  partitionsAssigned?: unknown;
  bytesAssigned?: unknown;
};

/** The tree of EXPLAIN USING JSON. It has no costs and no rows, but says how many partitions are read. */
export function planIn({ rows }: ResultSet): PlanNode {
  const operations = operationsIn(String(rows[0]?.[0] ?? ""));
  const parentsOf = ({ parentOperators }: Operation): unknown[] =>
    Array.isArray(parentOperators) ? parentOperators : [];
  const nodeOf = (operation: Operation, depth: number): PlanNode => ({
    operation: String(operation.operation ?? "Unknown"),
    detail: detailOf(operation),
    rows: null,
    cost: null,
    inputs:
      depth > 200
        ? []
        : operations
            .filter((each) => parentsOf(each).includes(operation.id))
            .map((each) => nodeOf(each, depth + 1)),
  });
  const root = operations.find((each) => parentsOf(each).length === 0);
  if (!root) throw unreadable();
  return nodeOf(root, 0);
}

/** Several steps are several lists; the last one is that of the statement. */
function operationsIn(text: string): Operation[] {
  try {
    const { Operations: steps } = JSON.parse(text) as { Operations?: unknown };
    const last = Array.isArray(steps) ? steps.at(-1) : null;
    return Array.isArray(last) ? (last as Operation[]) : [];
  } catch {
    throw unreadable();
  }
}

function detailOf({ objects, expressions, partitionsTotal, partitionsAssigned }: Operation): string | null {
  const texts = [objects, expressions].flatMap((each) => (Array.isArray(each) ? each.map(String) : []));
  const read =
    typeof partitionsTotal === "number" && typeof partitionsAssigned === "number"
      ? [`reads ${partitionsAssigned} of ${partitionsTotal} partitions`]
      : [];
  return [...texts, ...read].join(", ") || null;
}

const unreadable = () =>
  new SourceError("statement", "The server described its plan in a way that cannot be read");
