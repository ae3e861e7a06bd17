import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { Condition } from "../condition.ts";
import { mostDoubted } from "../rare-values.ts";

/** Says which rows have one of these values; null where they are too many to be listed. Pure. */
export const valuesCondition = (
  { name, values }: ObservedColumn,
  indexes: readonly number[],
): Condition | null =>
  indexes.length > mostDoubted
    ? null
    : { is: "oneOf", column: name, values: indexes.map((index) => values[index] ?? "") };
