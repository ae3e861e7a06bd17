import type { Detector } from "../candidate.ts";
import { brokenImplicationsIn } from "./implications.ts";
import { oppositeSignsIn } from "./opposite-signs.ts";
import { disorderIn } from "./order-of-values.ts";
import { wrongSumsIn } from "./wrong-sums.ts";
import { wrongTotalsIn } from "./wrong-totals.ts";

/** Values that cannot be true together: of one row, or of a row and those that belong to it. */
export const impossible: Detector = (table, database) => [
  ...disorderIn(table),
  ...wrongTotalsIn(table),
  ...wrongSumsIn(table, database),
  ...brokenImplicationsIn(table),
  ...oppositeSignsIn(table),
];
