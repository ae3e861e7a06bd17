import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import { CannotStart, reasonOf } from "../cannot-start.ts";

const migrationsFolder = join(import.meta.dirname, "../../drizzle");

/** Any number that nothing else locks. */
const migrationLock = 7_586_254;

/**
 * Brings a database to the newest version of the tables: forward only, and all that is missing in one transaction,
 * so that a process that is killed meanwhile leaves nothing half done. Processes that start at the same time take
 * turns, on a connection of their own: the lock is the session's. A database that a newer version has used is left
 * as it is. Throws CannotStart.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const connection = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 15 });
  const { host, pathname } = new URL(url);
  const database = `the database ${pathname.slice(1)} on ${host}`;
  try {
    await connection`select pg_advisory_lock(${migrationLock})`;
    const problem = historyProblem(await appliedMigrations(connection), knownMigrations());
    if (problem) throw new CannotStart(`${database} ${problem}`);
    await migrate(drizzle(connection), { migrationsFolder });
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`${database} cannot be used: ${reasonOf(error)}`);
  } finally {
    await connection.end();
  }
}

/** A migration goes by the moment at which it was made, in milliseconds since 1970; oldest first. */
export function knownMigrations(): number[] {
  return readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
}

/** What a database has had so far; nothing, when it is new. */
export async function appliedMigrations(connection: Sql): Promise<number[]> {
  const [found] = await connection<{ table: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') as table`;
  if (!found?.table) return [];
  const rows = await connection<{ at: number }[]>`
    select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ at }) => at);
}

/**
 * Why a database with these migrations is not one that the known ones can follow on; null when it is. Drizzle looks
 * at the last one alone, and would go on over a history that is not this program's.
 */
export function historyProblem(applied: number[], known: number[]): string | null {
  if (applied.some((at) => !known.includes(at)))
    return "was used by a newer version of Plumbline, and an older one would damage it: start the newer version, or restore a backup from before the upgrade";
  if (applied.some((at, index) => at !== known[index]))
    return "lacks a migration although it has had later ones: it was not made by this program";
  return null;
}
