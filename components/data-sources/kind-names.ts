import type { Kind } from "@/server/data-sources/schema.ts";

/** The kinds of data sources as people write them. */
export const kindNames: Record<Kind, string> = {
  PostgreSql: "PostgreSQL",
  MySql: "MySQL or MariaDB",
  SqlServer: "SQL Server",
  RestApi: "REST API",
};

/** The kinds that can be connected. */
export const connectableKinds = ["PostgreSql", "MySql"] as const satisfies readonly Kind[];
export type ConnectableKind = (typeof connectableKinds)[number];

export const defaultPorts: Record<ConnectableKind, number> = { PostgreSql: 5432, MySql: 3306 };

export function isConnectable(kind: Kind): kind is ConnectableKind {
  return (connectableKinds as readonly Kind[]).includes(kind);
}
