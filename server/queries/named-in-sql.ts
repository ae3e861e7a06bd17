import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { lexemesOf, nameIn } from "../data-sources/dialects/scan.ts";

type Token = { text: string; isName: boolean };

/**
 * Whether SQL mentions a table: its name as a whole word, quoted or not, alone or qualified by its own schema, ignoring
 * case, comments, and strings. It is only a name match: a column with the same name counts, and a table reached
 * through a view does not.
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
    // Without a schema between the dots, it is the database's default one.
    return !qualifier?.isName || qualifier.text === schema;
  });
}

/** Names in lower case and unquoted, and every other character on its own. */
function tokensOf(sql: string, dialect: Dialect): Token[] {
  const tokens: Token[] = [];
  for (const lexeme of lexemesOf(sql, dialect.lexis)) {
    const { kind, start, end } = lexeme;
    if (kind === "word" || kind === "name")
      tokens.push({ text: nameIn(sql, lexeme).toLowerCase(), isName: true });
    else if (kind !== "space" && kind !== "comment" && kind !== "string")
      tokens.push({ text: sql.slice(start, end), isName: false });
  }
  return tokens;
}

/** A substring of any SQL that mentions the name, however it is quoted. */
export function needleOf(tableName: string): string {
  return tableName.split(/["`\]]/).reduce((longest, part) => (part.length > longest.length ? part : longest));
}
