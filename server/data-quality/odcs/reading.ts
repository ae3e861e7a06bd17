import { type Operator, operators, type QualityCheck } from "./document.ts";
import type { Comparison } from "./sql-of-metric.ts";

/** Where something stands in a file. */
export type Path = readonly (string | number)[];

/** Why a part of a file cannot be what it is read as; the message is for whoever sent it. */
export class NotRead extends Error {
  override readonly name = "NotRead";
}

/** What a check's value must be, and the property that says so. Throws NotRead. */
export function comparisonIn(check: QualityCheck): { comparison: Comparison; key: Operator } {
  const given = operators.filter((operator) => check[operator] !== undefined && check[operator] !== null);
  const [operator] = given;
  if (!operator) throw new NotRead("Does not say what the value must be (mustBe, mustBeLessThan, …)");
  if (given.length > 1) throw new NotRead(`Says twice what the value must be: ${given.join(" and ")}`);
  const value = check[operator];
  const isRange = operator === "mustBeBetween" || operator === "mustNotBeBetween";
  if (isRange) {
    const bounds = Array.isArray(value) ? (value as unknown[]) : [];
    const [least, most] = bounds;
    if (bounds.length !== 2 || !isNumber(least) || !isNumber(most))
      throw new NotRead(`${operator} must be two numbers`);
    if (least > most) throw new NotRead(`${operator} must have the smaller number first`);
    return { comparison: { operator, value: [least, most] }, key: operator };
  }
  const takesAny = operator === "mustBe" || operator === "mustNotBe";
  const fits = isNumber(value) || (takesAny && (typeof value === "string" || typeof value === "boolean"));
  if (!fits) throw new NotRead(`${operator} must be ${takesAny ? "a number or text" : "a number"}`);
  return { comparison: { operator, value: value as string | number | boolean }, key: operator };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
