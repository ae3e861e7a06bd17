import type { Dialect } from "../../data-sources/engines/engine.ts";

/** What the SQL of a dialect looks like where dialects differ most; each example answers offending rows alone. */
export const dialects: Record<Dialect, { name: string; advice: string }> = {
  postgresql: {
    name: "PostgreSQL",
    advice: `  Identifiers that need it stand in "double quotes". Times: now(), interval '36 hours'; a timestamp without time zone is
  compared with now() at time zone 'utc'. At most some rows: limit 100. A newest row that is too old:
  select max(created_at) as newest from sales.orders having max(created_at) < now() - interval '36 hours'`,
  },
  mysql: {
    name: "MySQL",
    advice: `  Identifiers that need it stand in \`backticks\`. Times: utc_timestamp(), interval 36 hour. At most some rows: limit 100.
  A newest row that is too old:
  select max(created_at) as newest from shop.orders having max(created_at) < utc_timestamp() - interval 36 hour`,
  },
  sqlserver: {
    name: "SQL Server (Transact-SQL)",
    advice: `  Identifiers that need it stand in [brackets]. Times: sysutcdatetime(), dateadd(hour, -36, …). At most some rows:
  select top (100) …. A newest row that is too old:
  select max(created_at) as newest from dbo.orders having max(created_at) < dateadd(hour, -36, sysutcdatetime())`,
  },
};
