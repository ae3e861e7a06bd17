import type { Dialect } from "../data-sources/engines/engine.ts";
import { partsOf } from "../queries/sql-parts.ts";

type Token = { text: string; isName: boolean };

/**
 * Whether SQL names a table: the name as a whole word, quoted or not, alone or after its own schema's, whatever the
 * case; not in comments and not in strings. It is found by its name and no more: a column of the same name counts,
 * and a table that is reached through a view does not.
 */
export function namesTable(
  sql: string,
  dialect: Dialect,
  { schemaName, tableName }: { schemaName: string; tableName: string },
): boolean {
  const tokens = tokensOf(sql, dialect);
  const [schema, table] = [schemaName.toLowerCase(), tableName.toLowerCase()];
  return tokens.some(({ text, isName }, at) => {
    if (!isName || text !== table) return false;
    const [qualifier, before] = [tokens[at - 2], tokens[at - 1]];
    if (before?.isName !== false || before.text !== ".") return true;
    // Without a schema between the dots it is the database's usual one.
    return !qualifier?.isName || qualifier.text === schema;
  });
}

/** Names in lower case and without their quotes, and every other sign by itself. */
function tokensOf(sql: string, dialect: Dialect): Token[] {
  return partsOf(sql, dialect).flatMap(({ text, isOpaque }): Token[] => {
    if (!isOpaque)
      return (text.match(/[\p{L}\p{N}_$@#]+|\S/gu) ?? []).map((word) => ({
        text: word.toLowerCase(),
        isName: /^[\p{L}\p{N}_$@#]/u.test(word),
      }));
    const quote = { '"': '"', "`": "`", "[": "]" }[text.charAt(0)];
    if (quote === undefined) return [];
    const name = text.slice(1, text.endsWith(quote) ? -1 : undefined).replaceAll(quote + quote, quote);
    return [{ text: name.toLowerCase(), isName: true }];
  });
}

/** A part of the name that stands in any SQL that names it, however it is quoted there. */
export function needleOf(tableName: string): string {
  return tableName.split(/["`\]]/).reduce((longest, part) => (part.length > longest.length ? part : longest));
}
