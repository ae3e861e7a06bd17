import { momentOf } from "../profile/plain-values.ts";
import { type Condition, holdsFor } from "./condition.ts";
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
    const named = namedIn(each.condition);
    const best = alike
      .map((other) => ({ other, common: inCommon(namedIn(other.condition), named) }))
      .filter(({ common }) => named.length === 0 || common > 0)
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
    // The same rows, as a list or in general: which it is depends on how many values there are.
    case "oneOf":
    case "has":
    case "padded":
      return { is: "oneOf", column: condition.column };
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

/** A value of a column that a condition names, or what it says of values in general. */
type Named = { id: string; column: string; value?: string; holds?: (value: string) => boolean };

function namedIn(condition: Condition | null): Named[] {
  switch (condition?.is) {
    case "oneOf": {
      const { is, column } = condition;
      return condition.values.map((value) => ({ id: JSON.stringify([is, column, value]), column, value }));
    }
    case "has": {
      const { is, column } = condition;
      return condition.texts.map((text) => ({
        id: JSON.stringify([is, column, text]),
        column,
        holds: holdsFor({ is, column, texts: [text] }),
      }));
    }
    case "padded":
      return [{ id: JSON.stringify(condition), column: condition.column, holds: holdsFor(condition) }];
    case "not":
      return namedIn(condition.condition);
    case "all":
    case "any":
      return condition.of.flatMap(namedIn);
    default:
      return [];
  }
}

/** How many of these are the others, too: what is said in general is the same as a value for which it holds. */
function inCommon(these: readonly Named[], others: readonly Named[]): number {
  const ids = new Set(others.map(({ id }) => id));
  const holds = (general: Named, { column, value }: Named) =>
    column === general.column && value !== undefined && general.holds?.(value) === true;
  const generals = others.filter((other) => other.holds);
  return these.filter(
    (each) =>
      ids.has(each.id) ||
      (each.holds ? others : generals).some((other) => holds(other, each) || holds(each, other)),
  ).length;
}
