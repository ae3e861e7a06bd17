import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { joinOpenTransaction, within } from "./ambient.ts";
import { withoutLostRollback } from "./lost-connection.ts";
import { withPreparedStatements } from "./preparing.ts";

/**
 * The service's own database. DATABASE_URL is read when this module is first loaded, so set it (for the embedded
 * server) before importing anything that uses the database.
 */
export const sql: Sql = postgres(process.env.DATABASE_URL ?? "", {
  max: Number(process.env.DATABASE_POOL ?? 10),
  onnotice: () => {},
  connection: {
    application_name: "plumbline",
    TimeZone: "UTC",
    // Plan prepared statements for their values every time: a generic plan can be a bad one.
    plan_cache_mode: "force_custom_plan",
  },
});
const prepared = withPreparedStatements(withoutLostRollback(sql));
export const db: PostgresJsDatabase = drizzle(joinOpenTransaction(prepared), { casing: "snake_case" });

/** Runs the work in one transaction, which everything inside that uses `db` joins. See ambient.ts. */
export const inOneTransaction = <T>(work: () => Promise<T>): Promise<T> => within(prepared, work);

export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
/** Where a query may run: on the pool, or inside the caller's transaction. */
export type Connection = PostgresJsDatabase | Transaction;

/** Closes all connections, before the process exits or at the end of a test file. */
export async function closeDatabase(): Promise<void> {
  await sql.end({ timeout: 5 });
}
