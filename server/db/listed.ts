import { asc, type Column, desc, eq, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What the lists' services share: optional filters, and orders that a caller chooses by name. */

export type Direction = "Asc" | "Desc";

/** Each order's expressions, and the direction that it has unless the caller says otherwise. */
export type Sorts<Sort extends string> = Record<Sort, { by: readonly SQLWrapper[]; natural: Direction }>;

type Order<Sort extends string> = { sortBy: Sort; sortDirection?: Direction | undefined };

/**
 * An ORDER BY. Missing values come last in both directions. Ties are in the order of `ties`, which have no missing values
 * (an index could not be used otherwise): ascending, or with "natural" in the order's own direction: what is sorted newest first has the newest of equals first.
 */
export function orderBy<Sort extends string>(
  sorts: Sorts<Sort>,
  { sortBy, sortDirection }: Order<Sort>,
  ties: readonly SQLWrapper[],
  tieDirection: "Asc" | "natural" = "Asc",
): SQL[] {
  const { by, natural } = sorts[sortBy];
  const direction = sortDirection ?? natural;
  return [
    ...by.map((each) => (direction === "Asc" ? sql`${each} asc nulls last` : sql`${each} desc nulls last`)),
    ...ties.map((each) => (tieDirection === "Asc" || direction === "Asc" ? asc(each) : desc(each))),
  ];
}

/** A filter on a column that is not set unless a value is given. */
export const ifGiven = <Value>(value: Value | undefined, column: Column): SQL | undefined =>
  value === undefined ? undefined : eq(column, value);

/** A filter that may be asked for, or for its opposite. */
export const ifAsked = (asked: boolean | undefined, condition: SQL): SQL | undefined =>
  asked === undefined ? undefined : asked ? condition : not(condition);
