import { type Condition, holdsFor } from "./condition.ts";
import type { Fault } from "./fault.ts";

/** Whether faults doubt a value of a column, by naming it or by what they say of values in general. Pure. */
export function doubtedValues(
  column: string,
  faults: readonly Pick<Fault, "columns" | "condition">[],
): (value: string) => boolean {
  const doubts = faults.flatMap(({ columns, condition }) =>
    columns.includes(column) ? doubtsIn(column, condition) : [],
  );
  return (value) => doubts.some((isDoubted) => isDoubted(value));
}

function doubtsIn(column: string, condition: Condition | null): ((value: string) => boolean)[] {
  switch (condition?.is) {
    case "oneOf":
    case "has":
    case "padded":
      return condition.column === column ? [holdsFor(condition)] : [];
    case "any":
      return condition.of.flatMap((part) => doubtsIn(column, part));
    default:
      return [];
  }
}
