import type { PlanNode } from "../data-sources/engines/engine.ts";
import type { PlanLine } from "./plan-schema.ts";

/** The maximum number of lines; a plan that large is not read line by line. */
const most = 500;

/** A plan as lines from the top, each before what it reads from, the most expensive input first. Pure. */
export function planLines(root: PlanNode): PlanLine[] {
  const lines: PlanLine[] = [];
  const add = (node: PlanNode, depth: number) => {
    if (lines.length >= most) return;
    const { operation, detail, rows, cost } = node;
    lines.push({ depth, operation, detail, rows, cost, ownCost: ownCostOf(node), isMostExpensive: false });
    const widest = node.inputs.toSorted((one, other) => (other.cost ?? 0) - (one.cost ?? 0));
    for (const input of widest) add(input, depth + 1);
  };
  add(root, 0);
  const highest = Math.max(...lines.map(({ ownCost }) => ownCost ?? 0));
  const expensive = highest > 0 && lines.find(({ ownCost }) => ownCost === highest);
  if (expensive) expensive.isMostExpensive = true;
  return lines;
}

/** What it adds to the cost of its inputs. A LIMIT costs less than its input would if it were read to its end. */
function ownCostOf({ cost, inputs }: PlanNode): number | null {
  if (cost === null) return null;
  const below = inputs.reduce((sum, input) => sum + (input.cost ?? 0), 0);
  // Rounded, because differences of decimals have a tail.
  return Math.round(Math.max(0, cost - below) * 1000) / 1000;
}
