/**
 * The server's version, what it says of itself, the version of TimescaleDB if it is installed, and whether the login could change anything, by itself or through a role that it may assume.
 * Judged by rights without trying. Temporary tables do not count: they are private.
 */
export const loginRightsQuery = `
with roles as (
  select role.oid, role.rolsuper, role.rolname, role.rolcreatedb, role.rolcreaterole
  from pg_catalog.pg_roles role
  where pg_catalog.pg_has_role(session_user, role.oid, 'MEMBER')
),
schemas as (
  select oid from pg_catalog.pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
)
select
  pg_catalog.current_setting('server_version'),
  pg_catalog.version(),
  (select extversion from pg_catalog.pg_extension where extname = 'timescaledb'),
  exists (
    select from roles
    where rolsuper or rolcreatedb or rolcreaterole
      or rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
      or pg_catalog.has_database_privilege(roles.oid, pg_catalog.current_database(), 'CREATE')
      or exists (
        select from schemas where pg_catalog.has_schema_privilege(roles.oid, schemas.oid, 'CREATE')
      )
      or exists (
        select
        from pg_catalog.pg_class class
        join schemas on schemas.oid = class.relnamespace
        where class.relkind in ('r', 'p', 'f', 'v')
          and (
            pg_catalog.has_table_privilege(roles.oid, class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
            or pg_catalog.has_any_column_privilege(roles.oid, class.oid, 'INSERT, UPDATE')
          )
      )
  )`;
