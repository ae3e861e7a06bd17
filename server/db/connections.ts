import { sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "./client.ts";

/** The connections of all processes to the service's database, by PostgreSQL's state. */
export async function countConnections(
  connection: Connection = db,
): Promise<{ state: string; count: number }[]> {
  return connection.execute<{ state: string; count: number }>(sql`
    select coalesce(state, 'unknown') as state, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'plumbline%' group by 1`);
}

/** For monitoring queries, which time out after two seconds. */
export function measuring<T>(read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = '2s'`);
      return read(tx);
    },
    { accessMode: "read only" },
  );
}
