import { Decimal } from "../decimal.ts";

/** Between which bounds a figure must be, or must not be; null for no bound. Values are plain decimals. */
export type Bound = { value: string; isStrict: boolean };
export type Limit = { min: Bound | null; max: Bound | null; isOutside: boolean };

export const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)$/;

const bound = (value: string, isStrict = false): Bound => ({ value, isStrict });

/** `= 5`, `!= 5`, `< 5`, and so on; null for an operator that is unknown. */
export function limitBy(operator: string, value: string): Limit | null {
  const open = { min: null, max: null, isOutside: false };
  switch (operator) {
    case "=":
    case "==":
      return { ...open, min: bound(value), max: bound(value) };
    case "!=":
    case "<>":
      return { min: bound(value), max: bound(value), isOutside: true };
    case "<":
      return { ...open, max: bound(value, true) };
    case "<=":
      return { ...open, max: bound(value) };
    case ">":
      return { ...open, min: bound(value, true) };
    case ">=":
      return { ...open, min: bound(value) };
    default:
      return null;
  }
}

export const limitBetween = (min: string, max: string, { isOutside = false } = {}): Limit => ({
  ...{ min: bound(min), max: bound(max), isOutside },
});

export const exactly = (value: string) => limitBetween(value, value);

/** What holds if another limit does not. */
export function opposite(limit: Limit): Limit {
  const { min, max, isOutside } = limit;
  const isOneSided = (min === null) !== (max === null);
  if (!isOneSided || isOutside) return { ...limit, isOutside: !isOutside };
  const turned = (each: Bound | null) => each && { ...each, isStrict: !each.isStrict };
  return { min: turned(max), max: turned(min), isOutside: false };
}

/** The condition in SQL. A figure that is NULL is within no limit. */
export function limitSql(figure: string, { min, max, isOutside }: Limit): string {
  if (!isOutside && min && max && min.value === max.value && !min.isStrict && !max.isStrict)
    return `${figure} = ${min.value}`;
  const parts = [
    min && `${figure} >${min.isStrict ? "" : "="} ${min.value}`,
    max && `${figure} <${max.isStrict ? "" : "="} ${max.value}`,
  ].filter((part) => part !== null);
  return isOutside ? `not (${parts.join(" and ")})` : parts.join(" and ");
}

/** How much of a figure that is never negative is allowed; null if it must be more than 0, or anything else. */
export function mostAllowed({ min, max, isOutside }: Limit): Bound | null {
  const isFromZero = min === null || new Decimal(min.value).lessThan(min.isStrict ? 0 : "1e-99");
  return !isOutside && isFromZero ? max : null;
}

/** The same in whole rows; null if not even none is allowed. */
export function mostRows(most: Bound): number | null {
  const value = new Decimal(most.value);
  const whole = most.isStrict ? value.ceil().minus(1) : value.floor();
  return whole.isNegative() || whole.greaterThan(Number.MAX_SAFE_INTEGER) ? null : whole.toNumber();
}
