import type { Kind } from "@/server/data-sources/schema.ts";

/** The kinds of data sources as people write them. */
export const kindNames: Record<Kind, string> = {
  PostgreSql: "PostgreSQL",
  MySql: "MySQL",
  SqlServer: "SQL Server",
  RestApi: "REST API",
};
