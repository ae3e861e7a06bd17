import postgres, { type Sql } from "postgres";
import { appliedMigrations, knownMigrations } from "./migrate.ts";

/** `behind`: it responds, but lacks tables that this version needs. */
export type DatabaseState = "ready" | "away" | "behind";

const timeoutMs = 2_000;

/** Uses its own connection, because the pool may be busy with healthy work. It closes soon after the last check. */
let asked: Sql | undefined;

function connection(): Sql {
  asked ??= postgres(process.env.DATABASE_URL ?? "", {
    max: 1,
    idle_timeout: 60,
    connect_timeout: timeoutMs / 1000,
    onnotice: () => {},
    connection: { application_name: "plumbline-readiness" },
  });
  return asked;
}

/** Whether the service's database responds within two seconds and has the tables of this version or a later one. */
export async function askDatabase(): Promise<DatabaseState> {
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timedOut.reject(new Error("The database did not respond in time")),
    timeoutMs,
  );
  try {
    return (await Promise.race([newestMigration(), timedOut.promise])) >= expectedMigration()
      ? "ready"
      : "behind";
  } catch {
    // A new connection is tried immediately next time; this one would back off.
    await forgetConnection();
    return "away";
  } finally {
    clearTimeout(timer);
  }
}

/** Closes the connection and aborts its queries. */
export async function forgetConnection(): Promise<void> {
  const old = asked;
  asked = undefined;
  await old?.end({ timeout: 0 });
}

/** When the latest applied migration was created; 0 if there are none. */
const newestMigration = async () => (await appliedMigrations(connection())).at(-1) ?? 0;

let expected: number | undefined;

/** When the latest migration of this version was created. */
function expectedMigration(): number {
  expected ??= knownMigrations().at(-1) ?? 0;
  return expected;
}
