import type { Kind } from "@/server/data-sources/schema.ts";

/** The kinds of data sources as people write them. */
export const kindNames: Record<Kind, string> = {
  PostgreSql: "PostgreSQL",
  MySql: "MySQL or MariaDB",
  SqlServer: "SQL Server",
  RestApi: "REST API",
};

/** The kinds that can be connected. */
export const connectableKinds = ["PostgreSql", "MySql", "SqlServer"] as const satisfies readonly Kind[];
export type ConnectableKind = (typeof connectableKinds)[number];

export const defaultPorts: Record<ConnectableKind, number> = {
  PostgreSql: 5432,
  MySql: 3306,
  SqlServer: 1433,
};

/** What an address of such a database begins with. */
export const addressSchemes: Record<ConnectableKind, string> = {
  PostgreSql: "postgres",
  MySql: "mysql",
  SqlServer: "mssql",
};

export function isConnectable(kind: Kind): kind is ConnectableKind {
  return (connectableKinds as readonly Kind[]).includes(kind);
}
