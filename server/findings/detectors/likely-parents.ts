import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { add, type Key, NamedAlike } from "./named-alike.ts";

/** So many of a column's values are looked for first. */
const sampled = 20;

/** The first values of a column: of those some are in what it points to, or it is another thing. */
export const firstValues = ({ values }: ObservedColumn): readonly string[] => values.slice(0, sampled);

/**
 * The keys that a column may point to, by its name or by its first values, among thousands. What it leaves out is no parent
 * of it.
 */
export class LikelyParents<Each extends Key> {
  readonly #keys: readonly Each[];
  readonly #named: NamedAlike;
  readonly #byValue = new Map<string, number[]>();

  /** `isFoundByValues` says which keys are also found by what is in them; `columns` are all that will be asked about. */
  constructor(
    keys: readonly Each[],
    {
      columns,
      isFoundByValues,
    }: { columns: readonly ObservedColumn[]; isFoundByValues: (key: Each) => boolean },
  ) {
    this.#keys = keys;
    this.#named = new NamedAlike(keys);
    const asked = new Set(columns.flatMap(firstValues));
    for (const [place, key] of keys.entries())
      if (isFoundByValues(key))
        for (const value of key.column.values) if (asked.has(value)) add(this.#byValue, value, place);
  }

  /** In the order in which the keys were given. */
  of(table: ObservedTable, column: ObservedColumn): Each[] {
    const places = new Set(this.#named.of(table, column));
    for (const value of firstValues(column))
      for (const place of this.#byValue.get(value) ?? []) places.add(place);
    return [...places].sort((a, b) => a - b).map((place) => this.#keys[place] as Each);
  }
}
