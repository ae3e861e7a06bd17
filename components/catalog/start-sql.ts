import { quotedIfNeeded } from "@/server/data-sources/dialects/clauses.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import type { Kind } from "@/server/data-sources/kinds.ts";

/** Initial SQL for a query about a table: its first rows. Empty if the source is not a database. */
export function startSql(kind: Kind, { schema, table }: { schema: string; table: string }): string {
  const dialect = dialectOf(kind);
  if (dialect === null || table === "") return "";
  const name = [schema, table]
    .filter(Boolean)
    .map((part) => quotedIfNeeded(dialect, part))
    .join(".");
  const { top, limit } = dialect.limit(100);
  return `select ${top}*\nfrom ${name}${limit === "" ? "" : `\n${limit.trim()}`}`;
}
