import type { Direction } from "../db/listed.ts";
import type { Paging } from "../db/paged.ts";

/** A row's value in an order; a missing one comes last in both directions. */
type SortValue = string | number | boolean | Date | null | undefined;

/** How a list is searched and sorted. */
export type Listed<Row, Sort extends string> = {
  /** What a search looks through, as people see it. */
  text: (row: Row) => string;
  /** The first order is the usual one. */
  sorts: Record<Sort, { by: (row: Row) => SortValue; natural?: Direction }>;
};

type Asked<Sort extends string> = Paging & {
  search?: string | undefined;
  sortBy: Sort;
  sortDirection?: Direction | undefined;
};

/**
 * A page of rows that are all in memory: those whose text has every word of the search, in any case, in the order asked for. Rows
 * that are equal in it keep their order.
 *
 * For what people create one by one (users, data sources), of which there are at most thousands, and whose columns come from
 * several places. What the service itself adds to (executions, deliveries) is paged by PostgreSQL, see `paged`.
 */
export function pageOfRows<Row, Sort extends string>(
  rows: readonly Row[],
  { search = "", sortBy, sortDirection, page, pageSize }: Asked<Sort>,
  { text, sorts }: Listed<Row, Sort>,
): { items: Row[]; page: number; pageSize: number; totalCount: number } {
  const words = search.toLowerCase().split(/\s+/);
  const found = rows.filter((row) => {
    const lower = text(row).toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  const { by, natural = "Asc" } = sorts[sortBy];
  const sign = (sortDirection ?? natural) === "Asc" ? 1 : -1;
  const ordered = found
    .map((row) => ({ row, value: by(row) }))
    .sort(({ value: a }, { value: b }) =>
      a == null || b == null ? Number(a == null) - Number(b == null) : sign * compare(a, b),
    );
  const items = ordered.slice(page * pageSize, (page + 1) * pageSize).map(({ row }) => row);
  return { items, page, pageSize, totalCount: found.length };
}

/** "Load 2" before "Load 10", and upper and lower case alike. */
const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  return typeof a === "string" && typeof b === "string" ? words.compare(a, b) : Number(a) - Number(b);
}
