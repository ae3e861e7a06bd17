import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The words of a search; what is found holds each of them. */
export const wordsIn = (search: string) => search.split(/\s+/).filter((word) => word !== "");

/** Whether a text holds a word, whatever its case. Not LIKE: what is searched for is meant as it stands. */
export const holdsWord = (text: SQLWrapper, word: string): SQL =>
  sql`strpos(lower(${text}), lower(${word})) > 0`;
