/** A list in parts of so many items, each for one statement: more rows in one are no quicker, and it takes only so many values. */
export const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
