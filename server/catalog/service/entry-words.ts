import { type SQL, sql } from "drizzle-orm";
import { betweenWords, longestWord } from "../search-words.ts";

/**
 * The words of a text, for the database to find entries by. Whatever is given stands in it several times, so it had
 * better be a column.
 */
export const wordsOf = (text: SQL): SQL =>
  sql`string_to_array(btrim(regexp_replace(regexp_replace(lower(${withParts(text)}), ${betweenWords}, ' ', 'g'),
    ${`([^ ]{${longestWord}})(?=[^ ])`}, '\\1 ', 'g')), ' ')`;

/** Words that are several in one stand there as they are and as their parts: "customerOrders customer Orders". */
const withParts = (text: SQL): SQL =>
  sql`case when ${text} ~ '[a-z0-9][A-Z]|[A-Z][A-Z][a-z]'
    then ${text} || ' ' || regexp_replace(regexp_replace(${text}, '([A-Z])([A-Z][a-z])', '\\1 \\2', 'g'), '([a-z0-9])([A-Z])', '\\1 \\2', 'g')
    else ${text} end`;

/** What a name is found by: its words, and after a "=" the whole of it without what stands between them. */
export const namesOf = (name: SQL): SQL =>
  sql`array_to_tsvector(array_append(${wordsOf(name)},
    '=' || left(regexp_replace(lower(${name}), ${betweenWords}, '', 'g'), ${sql.raw(String(longestWord))})))`;

/** A description's beginning, so that a long one cannot burst its entry. */
export const longestDescription = sql.raw("4000");
