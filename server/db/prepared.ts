import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { TransactionSql } from "postgres";
import { sql as client } from "./client.ts";

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * Runs a statement that each connection has prepared once and planned once, so that a long one is not parsed and
 * planned each time: for those whose best plan does not depend on their values. Within a transaction of the pool's own
 * `begin`, or in one of its own. Values have to be bound: every other text is one more that the server keeps, for as
 * long as the connection lasts.
 */
export async function runPrepared<Row extends Record<string, unknown>>(
  statement: SQL,
  transaction?: TransactionSql,
): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const run = async (tx: TransactionSql) => {
    const mode = tx`select set_config('plan_cache_mode', 'auto', true)`;
    const [, rows] = await Promise.all([mode, tx.unsafe<Row[]>(text, params as never[], { prepare: true })]);
    return [...rows];
  };
  return transaction ? run(transaction) : ((await client.begin("read only", run)) as Row[]);
}
