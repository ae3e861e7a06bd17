import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { lexemesOf, nameIn } from "../data-sources/dialects/scan.ts";
import { type KnownTable, type Names, tableNamed } from "./edges-of.ts";

/** The known table that a name in SQL, such as "shop"."daily", refers to; null if there is none. Pure. */
export function tableInSql(sql: string, { lexis }: Pick<Dialect, "lexis">, names: Names): KnownTable | null {
  const parts: string[] = [];
  for (const lexeme of lexemesOf(sql, lexis))
    if (lexeme.kind === "word" || lexeme.kind === "name") parts.push(nameIn(sql, lexeme));
  const [table, schema = null, catalog = null] = parts.toReversed();
  return table === undefined ? null : tableNamed(names, { catalog, schema, table });
}
