import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL's main process, as described in the cluster's `postmaster.pid`. */
export type Postmaster = { pid: number; port: number; isReady: boolean };

/** The process that claims to run the cluster, or null. It may have crashed since. */
export function postmasterOf(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    // Lines: pid, folder, start time, port, socket folder, address, shared memory, state.
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    if (!Number.isInteger(pid)) return null;
    return { pid, port, isReady: lines[7]?.trim() === "ready" };
  } catch {
    return null;
  }
}

/** Whether the process is alive and is this cluster's PostgreSQL, not another process that reuses the pid. */
export function isRunning({ pid }: Postmaster, cluster: string): boolean {
  try {
    // A PostgreSQL server's working directory is its cluster's folder.
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    process.kill(pid, 0);
    if (process.platform === "win32") return true;
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return command.includes("postgres") && command.includes(cluster);
  } catch {
    return false;
  }
}

/**
 * The cluster's running postmaster, once it accepts connections, or null. Waits while it is stopping or recovering.
 */
export async function runningPostmaster(cluster: string): Promise<Postmaster | null> {
  for (;;) {
    const postmaster = postmasterOf(cluster);
    if (!postmaster) return null;
    if (!isRunning(postmaster, cluster)) {
      // The pid may belong to another process by now, which PostgreSQL would mistake for a server.
      rmSync(join(cluster, "postmaster.pid"), { force: true });
      return null;
    }
    if (postmaster.isReady) return postmaster;
    await sleep(50);
  }
}

/** Stops it cleanly: closes connections and writes everything. Resolves when it has exited. */
export async function stopPostmaster(postmaster: Postmaster, cluster: string, pgCtl: string): Promise<void> {
  if (process.platform === "win32") {
    spawnSync(pgCtl, ["stop", "-D", cluster, "-m", "fast"], { stdio: "ignore" });
    return;
  }
  // SIGINT is PostgreSQL's fast shutdown; SIGQUIT leaves the rest to recovery at the next start.
  for (const [signal, waitMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
  ] as const) {
    if (!isRunning(postmaster, cluster)) return;
    process.kill(postmaster.pid, signal);
    const until = Date.now() + waitMs;
    while (isRunning(postmaster, cluster) && Date.now() < until) await sleep(25);
  }
}
