import { columnType, typeOfColumn } from "../../dialects/sqlserver.ts";

/**
 * What the login may read, with its columns, in the order that `schemaOf` expects. The catalog only shows objects that
 * the login has a right on; of those, the ones it may select from, entirely or by column.
 */
export const columnsQuery = `
select s.name, o.name,
  case o.type when 'V' then N'View' else N'Table' end,
  case when o.type = 'U' then (
    select cast(sum(p.rows) as float) from sys.partitions as p
    where p.object_id = o.object_id and p.index_id in (0, 1)) end,
  (select cast(e.value as nvarchar(4000)) from sys.extended_properties as e
    where e.class = 1 and e.major_id = o.object_id and e.minor_id = 0 and e.name = N'MS_Description'),
  c.name,
  ${columnType},
  c.is_nullable,
  (select cast(e.value as nvarchar(4000)) from sys.extended_properties as e
    where e.class = 1 and e.major_id = o.object_id and e.minor_id = c.column_id and e.name = N'MS_Description'),
  cast(case when exists (
    select 1 from sys.indexes as i
    join sys.index_columns as ic on ic.object_id = i.object_id and ic.index_id = i.index_id
    where i.object_id = o.object_id and i.is_primary_key = 1 and ic.column_id = c.column_id
  ) then 1 else 0 end as bit),
  r.schema_name, r.table_name, r.column_name
from sys.objects as o
join sys.schemas as s on s.schema_id = o.schema_id
join sys.columns as c on c.object_id = o.object_id
${typeOfColumn}
outer apply (
  select top (1) rs.name as schema_name, ro.name as table_name, rc.name as column_name
  from sys.foreign_key_columns as k
  join sys.objects as ro on ro.object_id = k.referenced_object_id
  join sys.schemas as rs on rs.schema_id = ro.schema_id
  join sys.columns as rc on rc.object_id = k.referenced_object_id and rc.column_id = k.referenced_column_id
  where k.parent_object_id = o.object_id and k.parent_column_id = c.column_id
    and not exists (
      select 1 from sys.foreign_key_columns as other
      where other.constraint_object_id = k.constraint_object_id
        and other.constraint_column_id <> k.constraint_column_id)
  order by k.constraint_object_id
) as r
where o.type in ('U', 'V') and o.is_ms_shipped = 0
  and (has_perms_by_name(quotename(s.name) + N'.' + quotename(o.name), N'OBJECT', N'SELECT') = 1
    or has_perms_by_name(quotename(s.name) + N'.' + quotename(o.name), N'OBJECT', N'SELECT', c.name, N'COLUMN') = 1)
order by s.name collate Latin1_General_BIN2, o.name collate Latin1_General_BIN2, c.column_id`;
