import type { RuleType } from "@/server/data-quality/rules/rules.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { FailingValues, Samples } from "@/server/data-quality/sample-schema.ts";

/** Failing rows by the value of the rule's column. `isExact`: of all failing rows, not only of those kept. */
export type ByValue = Pick<FailingValues, "column" | "values" | "hasMore"> & { isExact: boolean };

/**
 * The counts of the data source or, if it gave none, those of the kept rows; null for a rule whose rows no value tells
 * apart, and if its column was not kept.
 */
export function byValueOf(
  { byValue, columns, rows, maskedColumns }: Samples,
  { type, column }: { type: RuleType; column: string | null },
): ByValue | null {
  const isTold = ruleDefinition(type).samples?.byValue ?? false;
  if (byValue && isTold) return { ...byValue, isExact: true };
  const place = columns.findIndex(({ name }) => name === column);
  // Different values may have the same mask.
  if (!isTold || column === null || place < 0 || maskedColumns.includes(column)) return null;
  const counted = Map.groupBy(rows, (row) => row[place] ?? null);
  const values = [...counted].map(([value, those]) => ({ value, rows: those.length }));
  return {
    column,
    values: values.sort((one, other) => other.rows - one.rows),
    hasMore: false,
    isExact: false,
  };
}
