import { numberOf } from "../profile/plain-values.ts";

/**
 * Whether a text says on which side of a number a value lies: `<0.05`, as laboratories write what they cannot detect, or
 * `>= 1000`. Among numbers it is one of them, and no fault. Pure.
 */
export const isBoundedNumber = (text: string): boolean =>
  /^\s*([<>]=?|[≤≥])/.test(text) && !Number.isNaN(numberOf(text.replace(/^\s*([<>]=?|[≤≥])/, "")));
