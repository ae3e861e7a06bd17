import { momentOf } from "../profile/plain-values.ts";
import type { Condition } from "./condition.ts";
import type { FindingKind } from "./kinds.ts";

/** What tells one fault from another over time. */
export type Fault = {
  kind: FindingKind;
  columns: readonly string[];
  condition: Condition | null;
  evidence?: { since?: string | undefined };
};

/**
 * Pairs what was found now with what is known of the same table: the same kind of fault in the same columns, said by a
 * condition of the same form. Bounds move as data comes in; of listed values at least one must be the same, so that
 * another misspelling in the column is another fault. Pure.
 */
export function pairFaults<Known extends Fault, Found extends Fault>(
  known: readonly Known[],
  found: readonly Found[],
): { pairs: [Known, Found][]; unpaired: Found[]; gone: Known[] } {
  const left = new Map<string, Known[]>();
  for (const each of known) left.set(formOf(each), [...(left.get(formOf(each)) ?? []), each]);
  const pairs: [Known, Found][] = [];
  const unpaired: Found[] = [];
  for (const each of found) {
    const alike = left.get(formOf(each)) ?? [];
    const values = valuesIn(each.condition);
    const shared = (other: Known) =>
      valuesIn(other.condition).filter((value) => values.includes(value)).length;
    const best = alike
      .map((other) => ({ other, common: shared(other) }))
      .filter(({ common }) => values.length === 0 || common > 0)
      .sort((a, b) => b.common - a.common)[0]?.other;
    if (best === undefined) unpaired.push(each);
    else {
      pairs.push([best, each]);
      alike.splice(alike.indexOf(best), 1);
    }
  }
  return { pairs, unpaired, gone: [...left.values()].flat() };
}

/** Kind, columns and the condition without the values that it names. */
function formOf({ kind, columns, condition, evidence }: Fault): string {
  // Where rows are missing, each day without them is a fault of its own.
  const since = evidence?.since;
  const missing = since !== undefined && !Number.isNaN(momentOf(since)) ? since : null;
  return JSON.stringify([kind, columns.toSorted(), condition === null ? missing : shapeOf(condition)]);
}

function shapeOf(condition: Condition): unknown {
  switch (condition.is) {
    case "oneOf":
      return { is: condition.is, column: condition.column };
    case "below":
    case "above":
      return { is: condition.is, column: condition.column };
    case "unequal":
      return { ...condition, tolerance: null };
    case "not":
      return { is: condition.is, condition: shapeOf(condition.condition) };
    case "all":
    case "any":
      // How many values or ranges are named may change; which columns they are of does not.
      return {
        is: condition.is,
        of: [...new Set(condition.of.map((part) => JSON.stringify(shapeOf(part))))].sort(),
      };
    default:
      return condition;
  }
}

function valuesIn(condition: Condition | null): string[] {
  switch (condition?.is) {
    case "oneOf":
      return condition.values.map((value) => JSON.stringify([condition.column, value]));
    case "not":
      return valuesIn(condition.condition);
    case "all":
    case "any":
      return condition.of.flatMap(valuesIn);
    default:
      return [];
  }
}
