import type { DatabaseConnection } from "../data-sources/connections/database-server.ts";

/**
 * A Trino for tests, if TEST_TRINO_URL is set: http://user@host:port/catalog, with a user that can create schemas in the
 * catalog, and the catalog `tpch` beside it. `scripts/trino-server` is one. With TEST_TRINO_TLS_URL
 * (https://user:password@host:port/catalog), the same by TLS and password.
 */
const address = process.env.TEST_TRINO_URL;
const secureAddress = process.env.TEST_TRINO_TLS_URL;

type Connection = DatabaseConnection & { password: string };

const connectionTo = (text: string): Connection => {
  const url = new URL(text);
  const ssl = url.protocol === "https:";
  return {
    host: url.hostname,
    port: Number(url.port || (ssl ? 443 : 80)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl,
    ...(ssl && { trustServerCertificate: true }),
  };
};

export const trinoConnection: Connection | null = address ? connectionTo(address) : null;
export const trinoTlsConnection: Connection | null = secureAddress ? connectionTo(secureAddress) : null;

/** Runs a statement as an administrator, and returns its rows. */
export async function runOnTrino(
  { host, port, user, database }: Connection,
  sql: string,
): Promise<unknown[][]> {
  const headers = { "x-trino-user": user, "x-trino-catalog": database };
  const rows: unknown[][] = [];
  let response = await fetch(`http://${host}:${port}/v1/statement`, { method: "POST", headers, body: sql });
  for (;;) {
    const { data, error, nextUri } = (await response.json()) as {
      data?: unknown[][];
      error?: { message: string };
      nextUri?: string;
    };
    if (error) throw new Error(error.message);
    rows.push(...(data ?? []));
    if (nextUri === undefined) return rows;
    response = await fetch(nextUri, { headers });
  }
}
