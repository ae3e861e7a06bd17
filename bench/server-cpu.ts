import { readdirSync, readFileSync } from "node:fs";
import type { Sql } from "postgres";

/** Ticks per second in /proc, on every Linux there is. */
const ticksPerSecond = 100;

/**
 * Reads the CPU seconds that a PostgreSQL on this machine has used so far, all of its processes together, also those
 * that have ended. Unlike the time that passes, they hardly depend on what else the machine does. Answers NaN where
 * that cannot be told: not on Linux, or on another machine.
 */
export async function serverCpu(client: Sql): Promise<() => number> {
  const [connection] =
    await client`select pg_backend_pid() as pid, inet_server_addr() = inet_client_addr() as is_here`;
  const server = connection?.is_here ? statOf(String(connection.pid))?.parent : undefined;
  return cpuOfPostgres(server);
}

/** The same of the PostgreSQL whose first process has this ID. */
export function cpuOfPostgres(postmaster: string | undefined): () => number {
  return () => {
    if (postmaster === undefined) return Number.NaN;
    const running = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => statOf(pid) ?? [])
      .filter(({ parent }) => parent === postmaster);
    const ticks =
      running.reduce((sum, { own }) => sum + own, 0) + (statOf(postmaster)?.withEnded ?? Number.NaN);
    return ticks / ticksPerSecond;
  };
}

/** The same of a server that is one process, like MariaDB; NaN without its ID, or where it is not on this machine. */
export function cpuOfProcess(pid: number | undefined): () => number {
  return () => (statOf(String(pid))?.own ?? Number.NaN) / ticksPerSecond;
}

/** Of a process; null if it has ended. */
function statOf(pid: string) {
  try {
    // The name in parentheses may contain anything; what follows are numbers.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return {
      parent: fields[1] ?? "",
      own: user + system,
      withEnded: user + system + endedUser + endedSystem,
    };
  } catch {
    return null;
  }
}
