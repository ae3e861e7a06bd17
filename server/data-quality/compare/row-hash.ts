import type { TypedValue } from "../../data-sources/dialects/comparison.ts";
import type { SqlScope } from "../rules/rule-sql.ts";
import type { Pair } from "./paired-columns.ts";

/** Expressions over a row of one of the tables, aliased as `checked`. */

type Place = 0 | 1;

export function typedValue(sql: SqlScope, { columns }: Pair, place: Place): TypedValue {
  const { name, type } = columns[place];
  return { value: sql.checked(name).value, type };
}

export const textOf = (sql: SqlScope, pair: Pair, place: Place) =>
  sql.comparison.text(typedValue(sql, pair, place), pair.held);

/**
 * A text that is the same only for the same values, in which NULL is not the empty text. Other values than texts have no
 * bar in them. Of the texts, all but the last begin with their length, so that none can run into the next.
 */
export function rowText(sql: SqlScope, pairs: readonly Pair[], place: Place): string {
  const lastText = pairs.findLastIndex(({ held }) => held.kind === "text");
  const parts = pairs.map((pair, index) => {
    const text = textOf(sql, pair, place);
    const isText = pair.held.kind === "text" || pair.held.kind === "bytes";
    const marked = [
      ...(pair.held.kind === "text" && index !== lastText
        ? [sql.comparison.bytes(text), "':'"]
        : isText && pair.nullable
          ? ["'='"]
          : []),
      text,
    ];
    const written = marked.length === 1 ? text : sql.concat(...marked);
    if (!pair.nullable) return written;
    return `case when ${typedValue(sql, pair, place).value} is null then '' else ${written} end`;
  });
  const [first = "''", ...others] = parts;
  return others.length === 0 ? first : sql.concat(first, ...others.flatMap((part) => ["'|'", part]));
}

/** How rows are hashed: by SHA-256 on all engines, or by the server's own hash if both servers have the same. */
export type Hashing = "sha256" | "own";

/** A whole number that is the same for the same values, and another one for others but for one time in 2^60. */
export function hashOf(sql: SqlScope, pairs: readonly Pair[], place: Place, hashing: Hashing): string {
  const { ownHash, hash } = sql.comparison;
  if (hashing === "own" && ownHash)
    return ownHash(pairs.map((pair) => [typedValue(sql, pair, place), pair.held] as const));
  return hash(rowText(sql, pairs, place));
}
