import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { CannotStart, reasonOf } from "../cannot-start.ts";

const migrations = join(import.meta.dirname, "../../drizzle");

/** Any number that nothing else locks. */
const migrationLock = 7_586_254;

/**
 * Brings a database to the newest version of the tables. Processes that start at the same time take turns, on
 * a connection of their own: the lock is the session's. Throws CannotStart.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const connection = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 15 });
  try {
    await connection`select pg_advisory_lock(${migrationLock})`;
    await migrate(drizzle(connection), { migrationsFolder: migrations });
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new CannotStart(`the database ${pathname.slice(1)} on ${host} cannot be used: ${reasonOf(error)}`);
  } finally {
    await connection.end();
  }
}
