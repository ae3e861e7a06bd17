/** A sort key; null or undefined (missing) comes last in both directions. */
export type SortValue = string | number | boolean | Date | null | undefined;

const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === "string" && typeof b === "string") return words.compare(a, b);
  return Number(a) - Number(b);
}

/** The rows sorted by one key; rows with equal keys keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => SortValue,
  direction: "asc" | "desc",
): Row[] {
  const sign = direction === "asc" ? 1 : -1;
  return rows.toSorted((one, other) => {
    const a = keyOf(one);
    const b = keyOf(other);
    if (a == null || b == null) return Number(a == null) - Number(b == null);
    return sign * compare(a, b);
  });
}
