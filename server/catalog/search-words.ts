/**
 * Defines a word, for both the index and typed searches: letters and digits of any script between symbols and spaces.
 * Spelled out as ranges, because what counts as a letter depends on the database's locale. Punctuation, symbols, and
 * emoji are not included.
 */
const ranges: readonly (readonly [number, number])[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xaa, 0xaa],
  [0xb5, 0xb5],
  [0xba, 0xba],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x1fff],
  [0x2c00, 0x2dff],
  [0x3040, 0xd7ff],
  [0xf900, 0xfdff],
  [0xfe70, 0xfefe],
  [0xff10, 0xff19],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
  [0xff66, 0xffdc],
  [0x10000, 0x1efff],
  [0x20000, 0x3ffff],
];

const inJavaScript = ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("");
const padded = (code: number) => `\\U${code.toString(16).padStart(8, "0")}`;

/** The separator between words, as a PostgreSQL regular expression. */
export const betweenWords = `[^${ranges.map(([from, to]) => `${padded(from)}-${padded(to)}`).join("")}]+`;

const between = new RegExp(`[^${inJavaScript}]+`, "u");

/** The maximum length of a word; PostgreSQL's own limit is 2,046 bytes. */
export const longestWord = 200;

/** A typed word, with its parts if it is a compound: `customerOrders`. All in lower case. */
export type TypedWord = { whole: string; parts: readonly string[] };

export function typedWords(text: string): TypedWord[] {
  return text
    .split(between)
    .filter((run) => run !== "")
    .map((run) => ({ whole: shortened(run), parts: partsOf(run).map(shortened) }));
}

/** A name without separators: `customer_orders` and `CustomerOrders` are the same. */
export const joinedWords = (text: string): string => shortened(text.split(between).join(""));

const shortened = (word: string) => lowered(word).slice(0, longestWord).join("");

/** Character by character, like PostgreSQL: a final sigma is a sigma, and a capital İ becomes one letter. */
const lowered = (word: string) => [...word].map((letter) => [...letter.toLowerCase()][0]);

/** The same splitting as in SQL: service/entry-words.ts. */
const partsOf = (run: string) =>
  run
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(" ");
