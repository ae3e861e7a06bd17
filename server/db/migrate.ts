import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres, { type Sql } from "postgres";
import { CannotStart, reasonOf } from "../errors.ts";
import { packageRoot } from "../program-files.ts";

const migrationsFolder = join(packageRoot, "drizzle");

/** An arbitrary lock number that nothing else uses. */
const migrationLock = 7_586_254;

/**
 * Migrates a database to the latest version of the tables: forward only, in one transaction, so that a killed process
 * leaves nothing half done. Processes that start at the same time take turns with a session lock, on a separate
 * connection. Refuses a database that a newer version has used. Throws CannotStart.
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

/** A migration is identified by its creation time in ms since 1970; oldest first. */
export function knownMigrations(): number[] {
  return readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
}

/** The migrations that a database has had; empty if it is new. */
export async function appliedMigrations(connection: Sql): Promise<number[]> {
  const [found] = await connection<{ table: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') as table`;
  if (!found?.table) return [];
  const rows = await connection<{ at: number }[]>`
    select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ at }) => at);
}

/**
 * Why the known migrations cannot continue this database's history, or null if they can. Drizzle only checks the last
 * one and would migrate a database that is not Plumbline's.
 */
export function historyProblem(applied: number[], known: number[]): string | null {
  if (applied.some((at) => !known.includes(at)))
    return "was used by a newer version of Plumbline, and this version would damage it: start the newer version, or restore a backup from before the upgrade";
  if (applied.some((at, index) => at !== known[index]))
    return "lacks a migration but has later ones: it was not created by Plumbline";
  return null;
}
