import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The words of a search; results contain all of them. */
export const wordsIn = (search: string) => search.split(/\s+/).filter((word) => word !== "");

/** Whether a text contains a word, ignoring case. Not LIKE: the search text is literal. */
export const containsWord = (text: SQLWrapper, word: string): SQL =>
  sql`strpos(lower(${text}), lower(${word})) > 0`;
