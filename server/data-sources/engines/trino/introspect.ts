import type { DatabaseSchema } from "../../database-schema.ts";
import type { Cell } from "../engine.ts";
import { schemaOf } from "../schema-tree.ts";

/** What the login may read of the catalog. This table of the server's is the one with the comments of columns. */
export const columnsQuery = `
select table_schem, table_name, column_name, type_name, is_nullable, remarks
from system.jdbc.columns
where table_cat = current_catalog and table_schem <> 'information_schema'
order by table_schem, table_name, ordinal_position`;

export const viewsQuery = `
select table_schema, table_name from information_schema.tables
where table_type <> 'BASE TABLE' and table_schema <> 'information_schema'
union all
select schema_name, name from system.metadata.materialized_views where catalog_name = current_catalog`;

export const commentsQuery = `
select schema_name, table_name, comment from system.metadata.table_comments
where catalog_name = current_catalog and comment is not null`;

type Rows = readonly (readonly Cell[])[];

/** The tree of tables; some connectors list a table twice. */
export function schemaWith(columns: Rows, views: Rows, comments: Rows): DatabaseSchema {
  const keyOf = (schema: Cell | undefined, table: Cell | undefined) => JSON.stringify([schema, table]);
  const viewKeys = new Set(views.map(([schema, table]) => keyOf(schema, table)));
  const commentOf = new Map(comments.map(([schema, table, comment]) => [keyOf(schema, table), comment]));
  const seen = new Set<string>();
  const rows: Cell[][] = [];
  for (const [schema = null, table = null, column = null, type = null, nullable, remarks = null] of columns) {
    const key = JSON.stringify([schema, table, column]);
    if (seen.has(key)) continue;
    seen.add(key);
    const of = keyOf(schema, table);
    const kind = viewKeys.has(of) ? "View" : "Table";
    const comment = commentOf.get(of) ?? null;
    rows.push([
      ...[schema, table, kind, null, comment],
      ...[column, type, nullable !== "NO", remarks === "" ? null : remarks, false, null, null, null],
    ]);
  }
  return schemaOf(rows);
}
