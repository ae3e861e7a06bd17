import { joinedWords, type TypedWord, typedWords } from "./search-words.ts";

/** What somebody has typed into a search, and what it becomes as PostgreSQL's tsquery, from strict to lenient. */
export type SearchQuery = {
  /** In lower case, without spaces around it. */
  typed: string;
  /** The name is this, whatever stands between its words; or begins with it. */
  same: string;
  begins: string;
  /** It has all of the words; or words that begin with them; or, for a word, others that are near to it. */
  whole: string;
  begun: string;
  near: string;
  /** It has at least one of them. */
  any: string;
};

/** Words that are found for one that was typed, because they hold it or are meant by it. */
export type NearWords = ReadonlyMap<string, readonly string[]>;

/** null where nothing of the text is a word: it can only be looked for as it is. */
export function searchQueryOf(text: string, near: NearWords = new Map()): SearchQuery | null {
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

/** So many words are looked up for what else they may mean. */
const mostLookedUp = 8;
const shortestLookedUp = 3;

/** The words that could be parts of others, or mistyped: short ones are too near to too many. */
export function wordsToLookUp(text: string): string[] {
  const words = typedWords(text).flatMap(({ whole, parts }) => [whole, ...parts]);
  return [...new Set(words)].filter((word) => [...word].length >= shortestLookedUp).slice(0, mostLookedUp);
}

/** `customerOrders` is found by its parts as well. */
function withParts({ whole, parts }: TypedWord, termOf: (word: string) => string): string {
  if (parts.length < 2) return termOf(whole);
  return `${termOf(whole)} | (${parts.map((part) => `(${termOf(part)})`).join(" & ")})`;
}

/** A word holds neither quotes nor backslashes, so that nothing in it is an operator. */
const lexeme = (word: string) => `'${word}'`;
const begun = (word: string) => `'${word}':*`;
