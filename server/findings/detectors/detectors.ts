import type { Detector } from "../candidate.ts";
import { disguisedMissing } from "./disguised-missing.ts";
import { duplicates } from "./duplicate.ts";
import { encodings } from "./encoding.ts";
import { formats } from "./format.ts";
import { impossible } from "./impossible.ts";
import { inconsistencies } from "./inconsistent.ts";
import { missingValues } from "./missing-value.ts";
import { orphans } from "./orphan.ts";
import { outOfRange } from "./out-of-range.ts";
import { stale } from "./stale.ts";
import { toldOtherwise } from "./told-otherwise.ts";
import { truncated } from "./truncated.ts";
import { types } from "./type.ts";
import { variants } from "./variant.ts";

/** All that look at each table, in the order of the kinds. */
export const detectors: readonly Detector[] = [
  missingValues,
  disguisedMissing,
  duplicates,
  orphans,
  outOfRange,
  formats,
  types,
  variants,
  inconsistencies,
  toldOtherwise,
  impossible,
  stale,
  truncated,
  encodings,
];
