import { trino } from "../../dialects/trino.ts";
import { type Cell, isSourceError } from "../engine.ts";

type Ask = (sql: string) => Promise<readonly (readonly Cell[])[]>;

/**
 * Whether the login could change something, without trying: the server checks the rights of a statement that it only
 * validates. It is asked about one table of the catalog; null if there is none, or if it does not say.
 */
export async function canWriteBy(ask: Ask): Promise<boolean | null> {
  const [row] = await ask(`
select table_schema, table_name from information_schema.tables
where table_schema <> 'information_schema' and table_type = 'BASE TABLE' limit 1`);
  if (!row) return null;
  const quoted = row.map((name) => trino.quote(String(name)));
  const [schema] = quoted;
  const table = quoted.join(".");
  for (const sql of [
    `create table ${schema}.plumbline_rights as select 1 as one`,
    `insert into ${table} select * from ${table}`,
    `delete from ${table}`,
  ])
    try {
      await ask(`explain (type validate) ${sql}`);
      return true;
    } catch (error) {
      if (!isSourceError(error) || error.kind !== "statement") throw error;
      if (!error.message.startsWith("Access Denied")) return null;
    }
  return false;
}
