import postgres, { type Sql } from "postgres";
import { appliedMigrations, knownMigrations } from "./migrate.ts";

/** `behind`: it answers, but has not the tables that this version needs. */
export type DatabaseState = "ready" | "away" | "behind";

const patienceMs = 2_000;

/**
 * Asks on a connection of its own: the pool's may all be busy with work that goes on well. It ends soon after the
 * last question, so nobody who does not ask pays for it.
 */
let asked: Sql | undefined;

function connection(): Sql {
  asked ??= postgres(process.env.DATABASE_URL ?? "", {
    max: 1,
    idle_timeout: 60,
    connect_timeout: patienceMs / 1000,
    onnotice: () => {},
    connection: { application_name: "plumbline-readiness" },
  });
  return asked;
}

/** Whether the service's own database answers within two seconds, with the tables of this version or a later one. */
export async function askDatabase(): Promise<DatabaseState> {
  const patience = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => patience.reject(new Error("The database did not answer in time")),
    patienceMs,
  );
  try {
    return (await Promise.race([newestMigration(), patience.promise])) >= expectedMigration()
      ? "ready"
      : "behind";
  } catch {
    // A new one is tried at once next time, where this one would wait longer and longer between its attempts.
    await forgetConnection();
    return "away";
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the connection, and what was asked on it. */
export async function forgetConnection(): Promise<void> {
  const old = asked;
  asked = undefined;
  await old?.end({ timeout: 0 });
}

/** When the newest of the migrations that the database has had was made; 0 without any. */
const newestMigration = async () => (await appliedMigrations(connection())).at(-1) ?? 0;

let expected: number | undefined;

/** When the newest that comes with this version was made. */
function expectedMigration(): number {
  expected ??= knownMigrations().at(-1) ?? 0;
  return expected;
}
