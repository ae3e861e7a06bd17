import { customSql } from "../rules/custom-sql.ts";
import type { ContractInput } from "../schema.ts";
import { type Operator, operators, type QualityCheck } from "./document.ts";
import type { Comparison } from "./metric-check.ts";
import type { SqlTarget } from "./sql-of-metric.ts";

/** A path in a file. */
export type Path = readonly (string | number)[];

export type RuleInput = ContractInput["rules"][number];
/** What a check measures: a rule type and its configuration. */
export type Measure = Pick<RuleInput, "type" | "configuration">;

/** SQL for what no other rule type can express. */
export const queryMeasure = (sql: string): Measure => ({ type: customSql.type, configuration: { sql } });

export type CheckPlace = {
  target: SqlTarget;
  /** null for a check of the table. */
  column: string | null;
  path: Path;
};

/** A part of a file cannot be interpreted; the message is for the importing user. */
export class NotRead extends Error {
  override readonly name = "NotRead";
}

/** A check's comparison: its operator and value. Throws NotRead. */
export function comparisonIn(check: QualityCheck): { comparison: Comparison; key: Operator } {
  const given = operators.filter((operator) => check[operator] !== undefined && check[operator] !== null);
  const [operator] = given;
  if (!operator) throw new NotRead("Sets no comparison (mustBe, mustBeLessThan, …)");
  if (given.length > 1) throw new NotRead(`Sets more than one comparison: ${given.join(" and ")}`);
  const value = check[operator];
  const isRange = operator === "mustBeBetween" || operator === "mustNotBeBetween";
  if (isRange) {
    const bounds = Array.isArray(value) ? (value as unknown[]) : [];
    const [min, max] = bounds;
    if (bounds.length !== 2 || !isNumber(min) || !isNumber(max))
      throw new NotRead(`${operator} must be two numbers`);
    if (min > max) throw new NotRead(`${operator} must have the smaller number first`);
    return { comparison: { operator, value: [min, max] }, key: operator };
  }
  const takesAny = operator === "mustBe" || operator === "mustNotBe";
  const fits = isNumber(value) || (takesAny && (typeof value === "string" || typeof value === "boolean"));
  if (!fits) throw new NotRead(`${operator} must be ${takesAny ? "a number or text" : "a number"}`);
  return { comparison: { operator, value: value as string | number | boolean }, key: operator };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
