import type { Detector } from "../candidate.ts";
import { missingChildrenIn } from "./missing-children.ts";
import { missingPeriodsIn } from "./missing-periods.ts";
import { smallPartsIn } from "./small-parts.ts";

/** A load that was cut short: periods without rows, parents without children, a part that is too small. */
export const truncated: Detector = (table, database) =>
  table.isWhole
    ? [
        ...missingPeriodsIn(table, database),
        ...missingChildrenIn(table, database),
        ...smallPartsIn(table, database),
      ]
    : [];
