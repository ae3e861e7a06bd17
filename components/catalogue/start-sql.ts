import type { Kind } from "@/server/data-sources/schema.ts";

const quotes: Partial<Record<Kind, (name: string) => string>> = {
  PostgreSql: (name) => `"${name.replaceAll('"', '""')}"`,
  MySql: (name) => `\`${name.replaceAll("`", "``")}\``,
  SqlServer: (name) => `[${name.replaceAll("]", "]]")}]`,
};

/** What a query about a table begins with: a look at some of its rows. Empty for what is no database. */
export function startSql(kind: Kind, { schema, table }: { schema: string; table: string }): string {
  const quote = quotes[kind];
  if (!quote || table === "") return "";
  // A name that is plain on every engine is read more easily without.
  const written = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : quote(name));
  const name = [schema, table].filter(Boolean).map(written).join(".");
  return kind === "SqlServer" ? `select top 100 *\nfrom ${name}` : `select *\nfrom ${name}\nlimit 100`;
}
