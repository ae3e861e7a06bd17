import type { Condition } from "./condition.ts";
import type { Fault } from "./fault.ts";

/** The values of a column that faults doubt by name, as texts. Pure. */
export const doubtedValues = (
  column: string,
  faults: readonly Pick<Fault, "columns" | "condition">[],
): ReadonlySet<string> =>
  new Set(
    faults.flatMap(({ columns, condition }) => (columns.includes(column) ? listed(column, condition) : [])),
  );

function listed(column: string, condition: Condition | null): string[] {
  if (condition?.is === "oneOf") return condition.column === column ? condition.values.map(String) : [];
  return condition?.is === "any" ? condition.of.flatMap((part) => listed(column, part)) : [];
}
