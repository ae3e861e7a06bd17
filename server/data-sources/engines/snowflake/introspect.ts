import type { DatabaseSchema } from "../../database-schema.ts";
import { columnType } from "../../dialects/snowflake.ts";
import type { Cell } from "../engine.ts";
import { schemaOf } from "../schema-tree.ts";

/** What the role may see, in the order that `schemaOf` expects; keys follow from `keyColumns` and `references`. */
export const columnsQuery = `
select c.table_schema, c.table_name,
  iff(t.table_type in ('VIEW', 'MATERIALIZED VIEW'), 'View', 'Table'),
  t.row_count::double, nullif(t.comment, ''),
  c.column_name, ${columnType.replaceAll(/\b(data_type|numeric_\w+|datetime_precision)\b/g, "c.$1")},
  c.is_nullable = 'YES', nullif(c.comment, ''),
  false, null, null, null
from information_schema.columns as c
join information_schema.tables as t on t.table_schema = c.table_schema and t.table_name = c.table_name
where c.table_schema <> 'INFORMATION_SCHEMA'
order by c.table_schema, c.table_name, c.ordinal_position`;

/** Keys are declared and not enforced. They are shown by statements of their own, without a warehouse. */
export const keysQuery = "show primary keys in database";
export const referencesQuery = "show imported keys in database";

type Shown = { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] };

/** The rows of a SHOW by the names of their columns, which differ in number and order between versions. */
function* rowsOf({ columns, rows }: Shown): Generator<(name: string) => string> {
  const at = new Map(columns.map(({ name }, index) => [name.toLowerCase(), index]));
  for (const row of rows) yield (name) => String(row[at.get(name) ?? -1] ?? "");
}

const keyOf = (...parts: string[]) => JSON.stringify(parts);

/** The tree of what there is, with what the two SHOWs say; either is null if the server does not answer it. */
export function schemaWith(
  rows: readonly (readonly Cell[])[],
  keys: Shown | null,
  references: Shown | null,
): DatabaseSchema {
  const keyColumns = new Set<string>();
  if (keys)
    for (const of of rowsOf(keys))
      keyColumns.add(keyOf(of("schema_name"), of("table_name"), of("column_name")));
  const targets = new Map<string, [string, string, string]>();
  if (references)
    for (const of of rowsOf(references))
      targets.set(keyOf(of("fk_schema_name"), of("fk_table_name"), of("fk_column_name")), [
        of("pk_schema_name"),
        of("pk_table_name"),
        of("pk_column_name"),
      ]);
  return schemaOf(
    rows.map((row) => {
      const column = keyOf(String(row[0]), String(row[1]), String(row[5]));
      return [...row.slice(0, 9), keyColumns.has(column), ...(targets.get(column) ?? [null, null, null])];
    }),
  );
}
