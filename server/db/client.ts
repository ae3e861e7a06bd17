import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { joinOpenTransaction, within } from "./ambient.ts";
import { withoutLostRollback } from "./lost-connection.ts";
import { withPreparedStatements } from "./preparing.ts";

type Planning = { plan_cache_mode: "force_custom_plan" | "force_generic_plan" } & Record<
  `enable_${string}`,
  "off"
>;

const poolOf = (max: number, planning: Planning): Sql =>
  postgres(process.env.DATABASE_URL ?? "", {
    max,
    onnotice: () => {},
    connection: { application_name: "plumbline", TimeZone: "UTC", jit: "off", ...planning },
  });

/** How many connections requests and jobs share. */
export const poolSize = Number(process.env.DATABASE_POOL ?? 10);

/**
 * The service's own database. DATABASE_URL is read when this module is first loaded, so set it (for the embedded
 * server) before importing anything that uses the database. Prepared statements are planned for their values every time:
 * a generic plan can be a bad one. Nothing is compiled (JIT): that takes half a second where a statement takes one
 * millisecond, if its estimated cost is high, as it is in a claim of jobs, which rules out sequential scans and sorting.
 */
export const sql: Sql = poolOf(poolSize, {
  plan_cache_mode: "force_custom_plan",
});

/**
 * For statements that find every row by a key, also those about the keys of several callers (gathered.ts). The best way to do
 * that does not depend on the keys, so these statements are planned once for each connection: planning one costs several times
 * what running it does. They always use an index: PostgreSQL takes a list of unknown length for a hundred rows, for which it
 * would read small tables in full, and the time would grow with the number of all rows.
 *
 * Two connections are enough, since statements are sent without waiting for each other's answers, and none of these takes
 * long.
 */
const byKey: Planning = {
  ...{ plan_cache_mode: "force_generic_plan", enable_seqscan: "off" },
  ...{ enable_hashjoin: "off", enable_mergejoin: "off" },
};

/** For what nearly every request looks up. */
export const lookups: Sql = poolOf(2, byKey);

/** For what jobs ask, so that no request waits for a storm of them. */
const groups: Sql = poolOf(2, byKey);

const prepared = withPreparedStatements(withoutLostRollback(sql));
const databaseOf = (pool: Sql): PostgresJsDatabase =>
  drizzle(joinOpenTransaction(pool), { casing: "snake_case" });
export const db = databaseOf(prepared);
/** Drizzle's database on `lookups`, for `compiled`. */
export const lookupDb = databaseOf(withPreparedStatements(withoutLostRollback(lookups)));
/** Drizzle's database on `groups`: only for statements that find every row by a key. */
export const groupDb = databaseOf(withPreparedStatements(withoutLostRollback(groups)));

/** Runs the work in one transaction, which everything inside that uses `db` joins. See ambient.ts. */
export const inOneTransaction = <T>(work: () => Promise<T>): Promise<T> => within(prepared, work);

export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
/** Where a query may run: on the pool, or inside the caller's transaction. */
export type Connection = PostgresJsDatabase | Transaction;

/** Closes all connections, before the process exits or at the end of a test file. */
export async function closeDatabase(): Promise<void> {
  await Promise.all([sql, lookups, groups].map((pool) => pool.end({ timeout: 5 })));
}
