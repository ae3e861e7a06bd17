/** Splits names of tables and columns into words: `orderItems`, `dim_order-items` → order, item. */

export function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** A common form of singular and plural. */
export function stem(word: string): string {
  if (/^(status|address|news|series|analysis|bus|is|has|was|this)$/.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  if (/[^su]s$/.test(word) && word.length > 2) return word.slice(0, -1);
  return word;
}

/** Prefixes that describe the kind of table rather than its content. */
const prefixes = new Set([
  "dim",
  "fact",
  "fct",
  "tbl",
  "stg",
  "stage",
  "staging",
  "raw",
  "src",
  "mart",
  "vw",
  "t",
]);

/** A data source has many names, each of which is used repeatedly. */
const known = new Map<string, readonly string[]>();
const maxKnown = 50_000;

export function stemsOf(name: string): readonly string[] {
  const found = known.get(name);
  if (found) return found;
  const stems = wordsOf(name).map(stem);
  if (known.size >= maxKnown) known.clear();
  known.set(name, stems);
  return stems;
}

/** The stems of its content. */
export function entityOf(tableName: string): readonly string[] {
  const stems = stemsOf(tableName);
  return stems.length > 1 && prefixes.has(stems[0] ?? "") ? stems.slice(1) : stems;
}
