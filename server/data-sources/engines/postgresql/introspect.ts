import { columnType, isNullable } from "../../dialects/postgresql.ts";
import { isHypertable, isTimescaleSchema, rowsOfHypertable } from "./timescale.ts";

/**
 * Every column that the login may read, with its table, in one round trip. A table without such columns is one row
 * without a column. Partitions are not listed separately from their table; PostgreSQL reserves the prefix "pg_" for its
 * own schemas. `timescale` is the schema of TimescaleDB's functions where it is installed; its own schemas are left out.
 */
export const schemaQuery = (timescale: string | null) => `
with readable as (
  select
    class.oid, namespace.nspname, class.relname, class.relkind,
    case
      when class.relkind = 'v' then null${hypertableRows(timescale)}
      when class.relkind = 'p' and class.reltuples <= 0 then (
        select sum(part.reltuples)
        from pg_catalog.pg_inherits
        join pg_catalog.pg_class part on part.oid = inhrelid
        where inhparent = class.oid and part.reltuples > 0
      )
      -- Before 14, a table that was never analyzed looked empty.
      when class.reltuples < 0 or (class.reltuples = 0 and class.relpages = 0
        and pg_catalog.current_setting('server_version_num')::integer < 140000) then null
      else class.reltuples
    end as row_estimate
  from pg_catalog.pg_class class
  join pg_catalog.pg_namespace namespace on namespace.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'f', 'v', 'm')
    and not class.relispartition
    and namespace.nspname !~ '^pg_' and namespace.nspname <> 'information_schema'
    and pg_catalog.has_schema_privilege(namespace.oid, 'USAGE')${notOfTimescale(timescale)}
    and (pg_catalog.has_table_privilege(class.oid, 'SELECT')
      or pg_catalog.has_any_column_privilege(class.oid, 'SELECT'))
),
primary_keys as (
  select conrelid, pg_catalog.unnest(conkey) as attnum from pg_catalog.pg_constraint where contype = 'p'
),
foreign_keys as (
  select distinct on (conrelid, conkey[1])
    conrelid, conkey[1] as attnum, namespace.nspname, class.relname, attribute.attname
  from pg_catalog.pg_constraint
  join pg_catalog.pg_class class on class.oid = confrelid
  join pg_catalog.pg_namespace namespace on namespace.oid = class.relnamespace
  join pg_catalog.pg_attribute attribute on attribute.attrelid = confrelid and attribute.attnum = confkey[1]
  where contype = 'f' and pg_catalog.array_length(conkey, 1) = 1
  order by conrelid, conkey[1], conname
)
select
  readable.nspname, readable.relname,
  case when readable.relkind in ('v', 'm') then 'View' else 'Table' end,
  pg_catalog.round(readable.row_estimate::numeric)::double precision,
  table_comment.description,
  attribute.attname,
  ${columnType("attribute")},
  ${isNullable("attribute", "type")},
  column_comment.description,
  primary_keys.attnum is not null,
  foreign_keys.nspname, foreign_keys.relname, foreign_keys.attname
from readable
left join (
  pg_catalog.pg_attribute attribute join pg_catalog.pg_type type on type.oid = attribute.atttypid
) on attribute.attrelid = readable.oid
  and attribute.attnum > 0 and not attribute.attisdropped
  and pg_catalog.has_column_privilege(readable.oid, attribute.attnum, 'SELECT')
left join pg_catalog.pg_description table_comment on table_comment.objoid = readable.oid
  and table_comment.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass and table_comment.objsubid = 0
left join pg_catalog.pg_description column_comment on column_comment.objoid = readable.oid
  and column_comment.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
  and column_comment.objsubid = attribute.attnum
left join primary_keys on primary_keys.conrelid = readable.oid and primary_keys.attnum = attribute.attnum
left join foreign_keys on foreign_keys.conrelid = readable.oid and foreign_keys.attnum = attribute.attnum
order by readable.nspname, readable.relname, readable.oid, attribute.attnum`;

const hypertableRows = (timescale: string | null) =>
  timescale === null
    ? ""
    : `
      when ${isHypertable("namespace", "class")} then ${rowsOfHypertable(timescale, "class")}`;

const notOfTimescale = (timescale: string | null) =>
  timescale === null ? "" : `\n    and not ${isTimescaleSchema("namespace")}`;
