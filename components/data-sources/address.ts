import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import {
  type DataSource,
  isFolder,
  isHttps,
  isRest,
  isS3,
  type ServerKind,
} from "@/server/data-sources/schema.ts";
import { plural } from "@/server/text.ts";

/** Host and port from a server name in the notation of the database's own tools, or null for a plain host. */
export function serverNamedIn(kind: ServerKind, text: string): { host: string; port?: number } | null {
  const server = dialectOf(kind).connection.serverNamed(text);
  return server.host === text.trim() ? null : server;
}

/** "db.example.com:5432", with brackets around IPv6 addresses. */
export function serverOf({ host, port }: { host: string; port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a data source is: its server, its folder or bucket, its first address, or its API's base URL. */
export function placeOf(connection: DataSource["connection"]): string {
  if (isFolder(connection)) return connection.folder;
  if (isS3(connection)) return `s3://${[connection.bucket, connection.prefix].filter(Boolean).join("/")}`;
  if (isHttps(connection)) {
    const [first = "", ...others] = connection.addresses;
    return others.length === 0 ? first : `${first} and ${plural(others.length, "other")}`;
  }
  return isRest(connection) ? connection.baseUrl : serverOf(connection);
}
