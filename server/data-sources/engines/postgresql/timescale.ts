/**
 * What differs where the extension TimescaleDB is installed. A hypertable is an empty table whose rows are in chunks, which
 * inherit from it: PostgreSQL's own figures for it are 0, and those of chunks become 0 when they are compressed.
 */

/** The schema that the extension's functions are in, quoted; no row where it is not installed. */
export const timescaleQuery = `
select pg_catalog.quote_ident(namespace.nspname)
from pg_catalog.pg_extension
join pg_catalog.pg_namespace namespace on namespace.oid = extnamespace
where extname = 'timescaledb'`;

/** A namespace of the extension's own: chunks, its catalog, and views on both. */
export const isTimescaleSchema = (namespace: string) => `exists (
      select from pg_catalog.pg_depend
      join pg_catalog.pg_extension on pg_extension.oid = refobjid
      where classid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and objid = ${namespace}.oid
        and refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass and extname = 'timescaledb'
    )`;

export const isHypertable = (namespace: string, table: string, condition = "true") => `exists (
      select from timescaledb_information.hypertables
      where hypertable_schema = ${namespace}.nspname and hypertable_name = ${table}.relname and ${condition}
    )`;

/** By the extension's estimate, which is 0 while chunks that were compressed are not analyzed: then nothing is known. */
export const rowsOfHypertable = (schema: string, table: string) =>
  `nullif(${schema}.approximate_row_count(${table}.oid::pg_catalog.regclass), 0)`;

/**
 * The dialect's statistics of tables, with a hypertable named once, for its chunks. Where chunks can be compressed,
 * their counters of live rows become 0 with the next ANALYZE, so the number of rows is not known.
 */
export const timescaleStatistics = `
with changes as (
  select coalesce(chunk.oid, pg_catalog.pg_partition_root(relid), relid) as oid,
    sum(n_live_tup) as live, sum(n_tup_ins + n_tup_upd + n_tup_del) as changed
  from pg_catalog.pg_stat_all_tables
  left join lateral (
    select class.oid
    from pg_catalog.pg_inherits
    join pg_catalog.pg_class class on class.oid = inhparent
    join pg_catalog.pg_namespace namespace on namespace.oid = class.relnamespace
    where inhrelid = relid and ${isHypertable("namespace", "class")}
  ) as chunk on true
  group by 1
)
select namespace.nspname, class.relname,
  case
    when tracked.counts and not ${isHypertable("namespace", "class", "compression_enabled")} then changes.live::double precision
  end,
  case when tracked.counts then changes.changed::text end
from changes
join pg_catalog.pg_class class on class.oid = changes.oid
join pg_catalog.pg_namespace namespace on namespace.oid = class.relnamespace
cross join (select pg_catalog.current_setting('track_counts') = 'on' as counts) as tracked
where namespace.nspname !~ '^pg_' and namespace.nspname <> 'information_schema' and not ${isTimescaleSchema("namespace")}`;
