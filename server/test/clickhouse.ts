import type { DatabaseConnection } from "../data-sources/connections/database-server.ts";

/**
 * A ClickHouse for tests, if TEST_CLICKHOUSE_URL is set: clickhouse://user:password@host:port/database, with a login that
 * can create databases. `scripts/chdb-server.py` is one.
 */
const address = process.env.TEST_CLICKHOUSE_URL;
const url = address ? new URL(address) : null;

export const clickHouseConnection: (DatabaseConnection & { password: string }) | null = url && {
  host: url.hostname,
  port: Number(url.port || 8123),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: decodeURIComponent(url.pathname.slice(1)),
  ssl: false,
};

/** Runs a statement as an administrator. */
export async function runOnClickHouse(
  { host, port, user, password }: DatabaseConnection & { password: string },
  sql: string,
): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const response = await fetch(`http://${host}:${port}/`, {
    method: "POST",
    headers: { authorization },
    body: sql,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
