import { isNullable, plainType } from "../../dialects/clickhouse.ts";

/**
 * What the login may read, in the order that `schemaOf` expects. The catalog only shows what it may read. A primary key
 * of ClickHouse may repeat, so columns only count as a key where the engine merges rows that are equal in them.
 */
export const columnsQuery = `
select t.database, t.name,
  if(endsWith(t.engine, 'View'), 'View', 'Table'),
  toFloat64(t.total_rows),
  nullIf(t.comment, ''),
  c.name,
  ${plainType("c.type")},
  cast(${isNullable("c.type")} as Bool),
  nullIf(c.comment, ''),
  cast(c.is_in_sorting_key and match(t.engine, '(Replacing|Collapsing)') as Bool),
  null, null, null
from system.tables as t
join system.columns as c on c.database = t.database and c.table = t.name
where t.database not in ('system', 'INFORMATION_SCHEMA', 'information_schema')
  and not t.is_temporary and not startsWith(t.name, '.inner')
order by t.database, t.name, c.position`;
