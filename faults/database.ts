import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { startEmbeddedDatabase } from "../server/db/embedded.ts";

/**
 * Our own PostgreSQL. It is crash-safe, because what it has acknowledged must still be there after it was killed.
 */
export async function startDatabase(folder: string) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = await startEmbeddedDatabase({ folder, password: "faults" });
  const sql = connect(server.url);

  const postmaster = () =>
    Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  // In its own process group: an aborted run must not leave it behind.
  const end = () => process.kill(postmaster(), "SIGQUIT");
  process.once("exit", end);

  return {
    url: server.url,
    adminUrl: server.adminUrl,
    port: Number(new URL(server.url).port),
    /** Connected as its superuser. */
    sql,
    /**
     * Stops the server as an operator in a hurry would (fast: transactions are rolled back, connections closed) or as a
     * crash would (immediate: nothing more is written, the next start recovers), and waits until it is back.
     */
    async restart(mode: "fast" | "immediate"): Promise<number> {
      const former = postmaster();
      const endedAt = performance.now();
      process.kill(former, mode === "fast" ? "SIGINT" : "SIGQUIT");
      for (;;) {
        await delay(50);
        if (await isBack(sql, postmaster, former)) return performance.now() - endedAt;
      }
    },
    async stop() {
      process.off("exit", end);
      await sql.end({ timeout: 5 });
      await server.stop();
    },
  };
}

export const connect = (url: string) => postgres(url, { max: 4, onnotice: () => {}, connect_timeout: 5 });

async function isBack(sql: Sql, postmaster: () => number, former: number): Promise<boolean> {
  try {
    if (postmaster() === former) return false;
    await sql`select`;
    return true;
  } catch {
    return false;
  }
}

export type Database = Awaited<ReturnType<typeof startDatabase>>;
