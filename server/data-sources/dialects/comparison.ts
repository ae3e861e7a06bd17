/**
 * What an engine must know so that its rows can be compared with those of any other. The same value has the same text
 * on all of them, and nothing is put in order or compared by a collation: texts count as their bytes in UTF-8.
 */
export type Comparison = {
  /** What a column of this type, as the engine writes it, holds; null for a type that cannot be compared. */
  holds(type: string): Comparable | null;
  /** A value as the text that all engines write, which is NULL for NULL, and empty only for an empty text or no bytes. */
  text(value: TypedValue, held: Comparable): string;
  /** The length of such a text in bytes, as a text. */
  bytes(text: string): string;
  /**
   * 60 bits of the SHA-256 of such a text as a whole number. MariaDB computes it faster than MD5, and servers in FIPS mode
   * have it, too.
   */
  hash(text: string): string;
  /** The exact sum of hashes. */
  total(hash: string): string;
  /** How many widths a whole number is after the first one, rounded down. The two are at most 2^63 apart. */
  part(position: string, first: bigint, width: bigint): string;
  /** An integer, in 64 bits. */
  whole(value: string): string;
  /** A number or truth value as something that can be summed without overflow. */
  number(value: TypedValue): string;
  /**
   * A whole number for several values by the server's own hash, which takes a fraction of the time; null if it has none
   * that fits. Two servers of the engine may be of versions that differ in it: compare that of the same constants first.
   */
  ownHash: ((values: readonly (readonly [TypedValue, Comparable])[]) => string) | null;
};

/** An expression with its type, as the engine writes it. */
export type TypedValue = { value: string; type: string };

/** What a column holds, as far as it matters for comparing; truth values count as 1 and 0, and UUIDs as text. */
export type Comparable =
  /** `places` is how many digits follow the point in every row; null if they vary, so that zeros that end it are cut. */
  | { kind: "number"; places: number | null; isInteger?: true }
  /** Servers write floats in one of two ways, which cannot be converted into each other. */
  | { kind: "float"; form: "shortest" | "seventeen digits" }
  | { kind: "text" }
  /** In hexadecimal. */
  | { kind: "bytes" }
  | { kind: "date" }
  /** `places` is the digits after the second: times are cut to it, and written in UTC without zeros that end them. */
  | { kind: "time"; places: number };

/** What a type holds by the first pattern that matches it. The pattern's first group is passed on. */
export const holdsBy =
  (patterns: readonly (readonly [RegExp, (part: string | undefined) => Comparable | null])[]) =>
  (type: string): Comparable | null => {
    for (const [pattern, held] of patterns) {
      const found = pattern.exec(type.toLowerCase());
      if (found) return held(found[1]);
    }
    return null;
  };
