import type { Operator } from "./document.ts";

/**
 * A check by one of the standard's library metrics, parsed for rule types to match; see `odcs` in a rule's definition.
 */

export type Metric = "rowCount" | "nullValues" | "missingValues" | "invalidValues" | "duplicateValues";

export type Literal = string | number | boolean;
export type Comparison = { operator: Operator; value: Literal | readonly [number, number] };

export type MetricCheck = {
  metric: Metric;
  /** The columns it applies to: the property that contains the check, or those that its arguments name. */
  columns: readonly string[];
  comparison: Comparison;
  /** The allowed percentage of rows, if the comparison is one; a limit of 0 is the same in every unit. */
  maxPercent: number | null;
  /** The conditions for valid values. */
  valid: ValidValues;
};

export type ValidValues = {
  pattern?: string;
  /** Plain decimals. */
  min?: string;
  max?: string;
  values?: readonly (Literal | null)[];
};

/** Converts rules to checks of the standard and back. */
export type Odcs<Configuration> = {
  /** The data quality dimension in the standard's terms; none if it can be any. */
  dimension?: string;
  /** The equivalent library metric; without one, only this service can run the checks. */
  library?: {
    metric: Metric;
    /** The check without its type and metric; null if the standard has no equivalent. */
    write(configuration: Configuration): Record<string, unknown> | null;
    /** null for a check with a different meaning. */
    read(check: MetricCheck): Record<string, unknown> | null;
  };
  /**
   * Set if rules of this type have patterns: the library metric applies only if the engine's are regular expressions.
   */
  hasPatterns?: true;
  /** The property with the maximum data age in minutes, also written as a latency. */
  latency?: string;
};
