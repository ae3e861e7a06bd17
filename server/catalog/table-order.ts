import type { TableOrder } from "./list-choices.ts";
import type { CatalogRow } from "./schema.ts";

type Sorted = Pick<
  CatalogRow,
  "dataSourceName" | "schemaName" | "tableName" | "rowEstimate" | "score" | "contractCount"
>;

const values: Record<Exclude<TableOrder, "name">, (row: Sorted) => number | null> = {
  rows: ({ rowEstimate }) => rowEstimate,
  score: ({ score }) => score,
  contracts: ({ contractCount }) => contractCount,
};

const collator = new Intl.Collator("en", { numeric: true });
const byName = (a: Sorted, b: Sorted) =>
  collator.compare(a.dataSourceName, b.dataSourceName) ||
  collator.compare(a.schemaName, b.schemaName) ||
  collator.compare(a.tableName, b.tableName);

/** Tables sorted by the given column; missing values come last in both directions, ties by name. */
export function inOrder<Row extends Sorted>(
  rows: readonly Row[],
  order: TableOrder,
  direction: "asc" | "desc",
): Row[] {
  const sign = direction === "asc" ? 1 : -1;
  if (order === "name") return rows.toSorted((a, b) => sign * byName(a, b));
  const valueIn = values[order];
  return rows.toSorted((a, b) => {
    const [first, second] = [valueIn(a), valueIn(b)];
    if (first === null || second === null)
      return Number(first === null) - Number(second === null) || byName(a, b);
    return sign * (first - second) || byName(a, b);
  });
}
