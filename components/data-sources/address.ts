import { type DataSource, isRest } from "@/server/data-sources/schema.ts";
import { serverNamed } from "@/server/data-sources/server-name.ts";
import { type ConnectableKind, defaultPorts } from "./kind-names.ts";

/** What a form needs from an address that somebody has copied: postgres://user:password@host:5432/database. */
export type DatabaseAddress = {
  kind: ConnectableKind;
  connection: {
    host: string;
    port: number;
    database: string;
    user: string;
    password: string;
    ssl: boolean;
  };
};

const kindsByProtocol: Record<string, ConnectableKind> = {
  "postgres:": "PostgreSql",
  "postgresql:": "PostgreSql",
  "mysql:": "MySql",
  "mariadb:": "MySql",
  "mssql:": "SqlServer",
  "sqlserver:": "SqlServer",
};

/** The parts of a database's address, or null when the text is none. */
export function databaseAddress(text: string): DatabaseAddress | null {
  if (!URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  const kind = kindsByProtocol[url.protocol];
  if (!kind || url.hostname === "") return null;
  try {
    return {
      kind,
      connection: {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port ? Number(url.port) : defaultPorts[kind],
        database: decodeURIComponent(url.pathname.slice(1)),
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
        ssl: isEncrypted(kind, url.searchParams),
      },
    };
  } catch {
    return null;
  }
}

/** Host and port in a server's name as SQL Server's tools write it, or null when the text is just a host. */
export function sqlServerNamed(text: string): { host: string; port?: number } | null {
  const server = serverNamed(text);
  return server.host === text.trim() ? null : server;
}

/** SQL Server's tools encrypt unless they are told not to; the others' have to be told. */
function isEncrypted(kind: ConnectableKind, parameters: URLSearchParams): boolean {
  if (kind === "SqlServer") return !/^(false|no|optional)$/i.test(parameters.get("encrypt") ?? "");
  const sslMode = parameters.get("sslmode") ?? parameters.get("ssl-mode");
  return sslMode !== null && !/^disabled?$/i.test(sslMode);
}

/** "db.example.com:5432", with the brackets that an IPv6 address needs. */
export function serverOf({ host, port }: { host: string; port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Where a data source is: its server, or its API's base URL. */
export function placeOf(connection: DataSource["connection"]): string {
  return isRest(connection) ? connection.baseUrl : serverOf(connection);
}
