import postgres, { type TransactionSql } from "postgres";
import { embeddedDatabaseOfAnother } from "../server/db/embedded.ts";
import { keptSecrets } from "../server/process/secrets.ts";

/**
 * Advances time for a service on its embedded database, whose clock schedules and leases use: what is due later in the
 * database becomes due now, and the service is notified. So the journeys never wait for a minute to turn.
 */

/** The length of all leases. */
const leaseMs = 30_000;

/** Runs everything that runs every minute, and what users have scheduled for the next minute. */
export async function turnMinute(dataDir: string): Promise<void> {
  await onDatabase(dataDir, async (sql) => {
    // A minute in the past that was missed: one that was already handled does not run again.
    await sql`
      update job_crons set done_until = done_until - interval '1 day' - random() * interval '1 day'
      where expression = '* * * * *'`;
    for (const { name } of await tablesWith(sql, "next_run_at"))
      await sql`update ${sql(name)} set next_run_at = now() where next_run_at <= now() + interval '1 minute'`;
  });
}

/** Ends the leases of a process that was killed at this time; those of others continue. */
export async function endLeases(dataDir: string, killedAt: Date): Promise<void> {
  const last = new Date(killedAt.getTime() + leaseMs);
  await onDatabase(dataDir, async (sql) => {
    for (const { name } of await tablesWith(sql, "lease_until"))
      await sql`update ${sql(name)} set lease_until = now() where lease_until between now() and ${last}`;
    await sql`update job_runs set due_at = now() where status = 'Running' and due_at between now() and ${last}`;
  });
}

const tablesWith = (sql: TransactionSql, column: string) => sql<{ name: string }[]>`
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = ${column}`;

/** Does the work in one transaction, then wakes the jobs engine. */
export async function onDatabase(
  dataDir: string,
  work: (sql: TransactionSql) => Promise<void>,
): Promise<void> {
  const { databasePassword: password } = keptSecrets(dataDir);
  const database = embeddedDatabaseOfAnother({ folder: dataDir, password });
  if (!database) throw new Error(`No database runs in ${dataDir}`);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  try {
    await sql.begin(async (tx) => {
      await work(tx);
      await tx`select pg_notify('plumbline_jobs', '')`;
    });
  } finally {
    await sql.end();
  }
}
