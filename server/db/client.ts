import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { joining, within } from "./ambient.ts";
import { sparingLostConnections } from "./lost-connection.ts";
import { preparing } from "./preparing.ts";

/** One pool per process, although Next and server/main.ts each load this module. */
const shared = globalThis as { plumblinePool?: Sql };

function pool(): Sql {
  shared.plumblinePool ??= postgres(process.env.DATABASE_URL ?? "", {
    max: Number(process.env.DATABASE_POOL ?? 10),
    onnotice: () => {},
    connection: {
      application_name: "plumbline",
      TimeZone: "UTC",
      // Prepared statements are planned for their values, each time: one plan for all of them can be a bad one.
      plan_cache_mode: "force_custom_plan",
    },
  });
  return shared.plumblinePool;
}

/**
 * The service's own database. DATABASE_URL is read when this module is first loaded, so whoever starts the
 * embedded server sets it before importing anything that touches the database.
 */
export const sql: Sql = pool();
const prepared = preparing(sparingLostConnections(sql));
export const db: PostgresJsDatabase = drizzle(joining(prepared), { casing: "snake_case" });

/** Runs the work in one transaction, which everything inside joins that uses `db`. See ambient.ts. */
export const inOneTransaction = <T>(work: () => Promise<T>): Promise<T> => within(prepared, work);

export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
/** Where a query may run: on the pool, or inside the caller's transaction. */
export type Connection = PostgresJsDatabase | Transaction;

/** Ends all connections; the process is about to exit, or a test file has finished. */
export async function closeDatabase(): Promise<void> {
  delete shared.plumblinePool;
  await sql.end({ timeout: 5 });
}
