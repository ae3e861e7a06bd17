"use client";
import { parseAsString, useQueryState } from "nuqs";
import { type SortValue, sorted } from "./sorted.ts";
import type { Sort } from "./table.tsx";

/**
 * A table's order, kept in the URL (`?sort=name`, `?sort=-name`). Columns in `descending` sort largest first on the
 * first click.
 *
 *   const sort = useSort({ name: (row: Row) => row.name, score: (row) => row.score }, "name");
 *   <Th sort={sort.of("name")}>Name</Th> … sort.rows(items).map(…)
 */
export function useSort<Row, Column extends string>(
  columns: Record<Column, (row: Row) => SortValue>,
  initial: NoInfer<Column> | `-${NoInfer<Column>}`,
  descending: readonly NoInfer<Column>[] = [],
) {
  const [parameter, setParameter] = useQueryState(
    "sort",
    parseAsString.withDefault(initial).withOptions({ history: "replace" }),
  );
  const wanted = parameter.replace(/^-/, "");
  // A mistyped URL falls back to the default.
  const chosen = wanted in columns ? parameter : initial;
  const column = chosen.replace(/^-/, "") as Column;
  const direction = chosen.startsWith("-") ? "desc" : "asc";
  return {
    rows: (rows: readonly Row[]) => sorted(rows, columns[column], direction),
    of: (each: Column): Sort => ({
      direction: each === column ? direction : null,
      onSort: () => {
        const first = descending.includes(each) ? "desc" : "asc";
        const next = each !== column ? first : direction === "asc" ? "desc" : "asc";
        void setParameter(next === "desc" ? `-${each}` : each);
      },
    }),
  };
}
