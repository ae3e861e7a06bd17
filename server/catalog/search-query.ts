import { joinedWords, type TypedWord, typedWords } from "./search-words.ts";

/** A typed search, and the PostgreSQL tsqueries built from it, from strict to lenient. */
export type SearchQuery = {
  /** In lower case, trimmed. */
  typed: string;
  /** The name equals this, whatever its separators; or starts with it. */
  same: string;
  begins: string;
  /** Has all of the words; or words starting with them; or similar words for each of them. */
  whole: string;
  begun: string;
  near: string;
  /** Has at least one of them. */
  any: string;
};

/** For each typed word, known words that contain it or are likely meant by it. */
export type SimilarWords = ReadonlyMap<string, readonly string[]>;

/** null if the text contains no words and can only be searched literally. */
export function searchQueryOf(text: string, near: SimilarWords = new Map()): SearchQuery | null {
  const words = typedWords(text);
  if (words.length === 0) return null;
  const joined = `=${joinedWords(text)}`;
  const nearTo = (word: string) => [begun(word), ...(near.get(word) ?? []).map(lexeme)].join(" | ");
  const each = (termOf: (word: string) => string) => words.map((word) => `(${withParts(word, termOf)})`);
  return {
    typed: text.trim().toLowerCase(),
    same: lexeme(joined),
    begins: begun(joined),
    whole: each(lexeme).join(" & "),
    begun: each(begun).join(" & "),
    near: `(${each(nearTo).join(" & ")}) | ${begun(joined)}`,
    any: [...each(nearTo), begun(joined)].join(" | "),
  };
}

/** How many words are looked up for similar ones. */
const maxLookedUp = 8;
const shortestLookedUp = 3;

/** The words that may be parts of others, or misspelled: short ones are similar to too many. */
export function wordsToLookUp(text: string): string[] {
  const words = typedWords(text).flatMap(({ whole, parts }) => [whole, ...parts]);
  return [...new Set(words)].filter((word) => [...word].length >= shortestLookedUp).slice(0, maxLookedUp);
}

/** `customerOrders` is also found by its parts. */
function withParts({ whole, parts }: TypedWord, termOf: (word: string) => string): string {
  if (parts.length < 2) return termOf(whole);
  return `${termOf(whole)} | (${parts.map((part) => `(${termOf(part)})`).join(" & ")})`;
}

/** Words contain no quotes or backslashes, so nothing in them is an operator. */
const lexeme = (word: string) => `'${word}'`;
const begun = (word: string) => `'${word}':*`;
