import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Judged } from "../merge.ts";
import { emptyReasons } from "./empty.ts";
import { foundReasons } from "./found.ts";
import { nearReasons } from "./near.ts";
import type { Reason } from "./reason.ts";
import { toldReasons } from "./told.ts";
import { writtenReasons } from "./written.ts";

/** Everything that may be wrong with cells of a table; `judged` is what the detectors say of it. Pure. */
export const reasonsIn = (table: ObservedTable, judged: readonly Judged[]): Reason[] => [
  ...foundReasons(table, judged),
  ...writtenReasons(table),
  ...emptyReasons(table),
  ...nearReasons(table),
  ...toldReasons(table),
];
