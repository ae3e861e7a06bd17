import { type SQL, sql } from "drizzle-orm";
import { betweenWords, longestWord } from "../search-words.ts";

/**
 * The words of a text, for the search index. The argument is repeated several times in the SQL, so it should be a
 * column.
 */
export const wordsOf = (text: SQL): SQL =>
  sql`string_to_array(btrim(regexp_replace(regexp_replace(lower(${withParts(text)}), ${betweenWords}, ' ', 'g'),
    ${`([^ ]{${longestWord}})(?=[^ ])`}, '\\1 ', 'g')), ' ')`;

/** Adds the parts of compound words: "customerOrders customer Orders". */
const withParts = (text: SQL): SQL =>
  sql`case when ${text} ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]'
    then ${text} || ' ' || regexp_replace(regexp_replace(${text}, '([A-Z])([A-Z][a-z])', '\\1 \\2', 'g'), '([a-z0-9])([A-Z])', '\\1 \\2', 'g')
    else ${text} end`;

/** The search terms of a name: its words, and after a "=" the whole name without separators. */
export const namesOf = (name: SQL): SQL =>
  sql`array_to_tsvector(array_append(${wordsOf(name)},
    '=' || left(regexp_replace(lower(${name}), ${betweenWords}, '', 'g'), ${sql.raw(String(longestWord))})))`;

/** The indexed length of a description, so that a long one can't exceed the limit of an entry. */
export const longestDescription = sql.raw("4000");
