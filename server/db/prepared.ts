import type { SQL } from "drizzle-orm";
import type { TransactionSql } from "postgres";
import { rejectInTransaction } from "./ambient.ts";
import { sql as client } from "./client.ts";
import { dialect } from "./compiled.ts";

/**
 * Runs a statement that each connection prepares and plans once, for long statements whose best plan does not depend
 * on their values. Runs within a transaction of the pool's `begin`, or in its own, on a connection of its own: never while
 * another one is open. Values must be bound: the server keeps every distinct text for as long as the connection lasts.
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
  if (transaction) return run(transaction);
  rejectInTransaction("A second connection");
  return (await client.begin("read only", run)) as Row[];
}
