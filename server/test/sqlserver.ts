import { randomBytes } from "node:crypto";
import { Connection, Request } from "tedious";
import type { TestContext } from "vitest";
import type { DatabaseConnection } from "../data-sources/connections/database-server.ts";

/**
 * A SQL Server for tests, if TEST_SQLSERVER_URL is set: mssql://user:password@host:port/database, with a login that can
 * create schemas and tables in that database. Its certificate is not verified.
 */
const address = process.env.TEST_SQLSERVER_URL;
const url = address ? new URL(address) : null;

export const sqlServerConnection: (DatabaseConnection & { password: string }) | null = url && {
  host: url.hostname,
  port: Number(url.port || 1433),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: decodeURIComponent(url.pathname.slice(1)),
  ssl: url.searchParams.get("encrypt") !== "false",
  trustServerCertificate: true,
};

/** The test's own schema. */
export const ownSchema = `test_${randomBytes(6).toString("hex")}`;

/** An administrator's connection, and how to close it. */
export async function sqlServerAdmin(target: DatabaseConnection & { password: string }) {
  const { host, port, user: userName, password, database, ssl: encrypt } = target;
  const driver = new Connection({
    server: host,
    authentication: { type: "default", options: { userName, password } },
    options: { port, database, encrypt, trustServerCertificate: true, requestTimeout: 60_000 },
  });
  await new Promise<void>((resolve, reject) => {
    driver.connect((error) => (error ? reject(error) : resolve()));
  });
  /** Runs a text without parameters; returns the rows of all its results. */
  const run = (text: string) =>
    new Promise<unknown[][]>((resolve, reject) => {
      const rows: unknown[][] = [];
      const request = new Request(text, (error) => (error ? reject(error) : resolve(rows)));
      request.on("row", (row: { value: unknown }[]) => rows.push(row.map(({ value }) => value)));
      driver.execSqlBatch(request);
    });
  return { run, end: () => driver.close() };
}

/**
 * What a server could not create. Some implement the protocol but support less than Microsoft's; the tests of that are
 * skipped there, and the end of the run says which and why, instead of the whole suite failing at its start.
 */
export class LeftOut {
  readonly #reasons = new Map<string, string>();

  /** Creates something that not every server supports; `what` describes its purpose. */
  async unlessImpossible(what: string, make: () => Promise<unknown>): Promise<void> {
    try {
      await make();
    } catch (error) {
      this.#reasons.set(what, error instanceof Error ? error.message : String(error));
    }
  }

  /** Skips the test if that could not be created. */
  skipWithout(what: string, { task, skip }: Pick<TestContext, "task" | "skip">): void {
    const reason = this.#reasons.get(what);
    if (reason === undefined) return;
    Object.assign(task.meta, { summary: `Left out on this SQL Server: ${what} (${reason})` });
    skip();
  }
}
