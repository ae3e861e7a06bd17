import type { ObservedColumn } from "../profile/observed-column.ts";
import { isDateLike } from "./date-writing.ts";

/** So many of the values are looked at. */
const looked = 50;
const isoMoment = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}.*)?)?$/;

/** Whether a column tells when something was, as days or moments or as texts of such. Pure. */
export function isOfMoments({ kind, moments, values }: ObservedColumn): boolean {
  if (moments) return true;
  const some = values.slice(0, looked);
  return (
    kind === "text" &&
    some.length > 0 &&
    some.filter((value) => isDateLike(value) || isoMoment.test(value)).length >= some.length * 0.9
  );
}
