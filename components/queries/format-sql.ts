import {
  bigquery,
  clickhouse,
  duckdb,
  formatDialect,
  mysql,
  postgresql,
  snowflake,
  transactsql,
  trino,
} from "sql-formatter";
import type { DialectName } from "@/server/data-sources/dialects/dialect.ts";
import { dialects } from "@/server/data-sources/dialects/dialects.ts";
import { CannotFormat } from "./cannot-format.ts";
import { tokensOf } from "./sql-scope.ts";

const formatters = {
  ...{ postgresql, mysql, sqlserver: transactsql, clickhouse, trino, snowflake, bigquery, duckdb },
};

/** Longer texts would make the page wait. */
const maxLength = 30_000;

/** Written by the service, not by the database's own rules. */
const paramTypes = {
  custom: [{ regex: "\\{\\{\\s*\\w+\\s*\\}\\}" }, { regex: "@@[rR][eE][sS][uU][lL][tT]\\d+" }],
};

/**
 * The same SQL with one clause per line. Only spaces and line ends change: a result with other tokens, or in which a
 * comment is missing, is rejected. Throws CannotFormat, with a reason to show.
 */
export function formattedSql(sql: string, dialect: DialectName): string {
  if (sql.length > maxLength)
    throw new CannotFormat("Not formatted: the SQL is longer than 30,000 characters");
  const { lexis } = dialects[dialect];
  const spelled = (text: string) =>
    tokensOf(text, lexis)
      .map((token) => token.text)
      .join("");
  let formatted: string;
  try {
    formatted = formatDialect(sql, { dialect: formatters[dialect], paramTypes, tabWidth: 2 });
  } catch {
    throw new CannotFormat(
      "Not formatted: the SQL is unfinished, or uses syntax the formatter does not know",
    );
  }
  const isSame = spelled(formatted) === spelled(sql) && lettersOf(formatted) === lettersOf(sql);
  if (!isSame) throw new CannotFormat("Not formatted: the formatter would have changed more than spaces");
  return formatted;
}

const lettersOf = (text: string) => text.replace(/\s+/g, "");
