import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { longest } from "../profile/read-sql.ts";
import { type Condition, holdsFor, type OfValues } from "./condition.ts";

/** A list of more values is hard to read, and what they have in common is said instead. */
const mostListed = 20;
/** A database is asked for so many texts in each value at most. */
const mostTexts = 300;

/**
 * The doubted values of a column as a list, or, where there are many, by what they and no others have in common: one of
 * the texts that `mark` finds in them, or a space before or after. Of a table that was read in part, that also says which
 * of the rows that were not read are meant. Pure.
 */
export function saidInGeneral(
  table: Pick<ObservedTable, "isWhole">,
  column: ObservedColumn,
  indexes: readonly number[],
  mark: RegExp | "spaces",
): Condition {
  const { name, values } = column;
  const doubted = indexes.map((index) => values[index] ?? "");
  const listed: Condition = { is: "oneOf", column: name, values: doubted };
  if (table.isWhole && indexes.length <= mostListed) return listed;
  // Of longer texts only the beginning was read, and the rest may have the same marks.
  if (values.some((value) => value.length > longest)) return listed;
  const isDoubted = new Set(indexes);
  const ifForThemAlone = (general: OfValues): Condition => {
    const holds = holdsFor(general);
    return values.every((value, index) => holds(value) === isDoubted.has(index)) ? general : listed;
  };
  if (mark === "spaces") return ifForThemAlone({ is: "padded", column: name });
  const texts = [...new Set(doubted.flatMap((value) => value.match(mark) ?? []))].sort();
  return texts.length === 0 || texts.length > mostTexts
    ? listed
    : ifForThemAlone({ is: "has", column: name, texts });
}
