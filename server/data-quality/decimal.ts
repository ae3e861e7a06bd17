import { Decimal as Base } from "decimal.js";

/**
 * Decimal arithmetic for scores and measurements, never floats, with more digits than any count has. Halves round away
 * from zero.
 */
export const Decimal = Base.clone({ precision: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;
