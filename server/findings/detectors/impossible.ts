import type { Detector } from "../candidate.ts";
import { brokenImplicationsIn } from "./implications.ts";
import { disorderIn } from "./order-of-values.ts";
import { wrongTotalsIn } from "./wrong-totals.ts";

/** Values of one row that cannot be true together. */
export const impossible: Detector = (table) => [
  ...disorderIn(table),
  ...wrongTotalsIn(table),
  ...brokenImplicationsIn(table),
];
