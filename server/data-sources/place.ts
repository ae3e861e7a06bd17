import { plural } from "../text.ts";
import { isBigQuery, isFolder, isHttps, isRest, isS3, isSnowflake } from "./kinds.ts";
import type { DataSource } from "./schema.ts";

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
  if (isSnowflake(connection)) return connection.account;
  if (isBigQuery(connection))
    return [connection.dataProject ?? connection.billingProject, connection.dataset]
      .filter(Boolean)
      .join(".");
  return isRest(connection) ? connection.baseUrl : serverOf(connection);
}
