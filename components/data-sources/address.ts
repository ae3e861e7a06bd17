import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { type DataSource, isFiles, isRest, type ServerKind } from "@/server/data-sources/schema.ts";

/** Host and port from a server name in the notation of the database's own tools, or null for a plain host. */
export function serverNamedIn(kind: ServerKind, text: string): { host: string; port?: number } | null {
  const server = dialectOf(kind).connection.serverNamed(text);
  return server.host === text.trim() ? null : server;
}

/** "db.example.com:5432", with brackets around IPv6 addresses. */
export function serverOf({ host, port }: { host: string; port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a data source is: its server, its folder, or its API's base URL. */
export function placeOf(connection: DataSource["connection"]): string {
  if (isFiles(connection)) return connection.folder;
  return isRest(connection) ? connection.baseUrl : serverOf(connection);
}
