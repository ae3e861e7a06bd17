import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { sql as client } from "./client.ts";

const dialect = new PgDialect({ casing: "snake_case" });

/** Who runs it: the pool, or a transaction of the pool's own `begin`. */
type Client = Pick<typeof client, "unsafe">;

/**
 * Runs a statement that each connection has prepared once, so that a long one is not parsed and planned each time.
 * Values have to be bound: every other text is one more that the server keeps, for as long as the connection lasts.
 */
export async function runPrepared<Row extends Record<string, unknown>>(
  statement: SQL,
  on: Client = client,
): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const rows = await on.unsafe<Row[]>(text, params as never[], { prepare: true });
  return [...rows];
}
