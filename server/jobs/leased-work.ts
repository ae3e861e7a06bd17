import { setTimeout as delay } from "node:timers/promises";
import { log } from "../log.ts";
import { type Lease, LeaseLost, type Leases } from "./leases.ts";

/** In milliseconds. Tests shorten them. */
type WorkTimes = {
  /** How often whoever works on a row gives a sign of life. */
  heartbeatMs: number;
  /** How often somebody who waits for another process looks. */
  pollMs: number;
};

/** Rows that this process works on, by the name of their work. Next and server/main.ts each load this module. */
const shared = globalThis as { plumblineLeasedWork?: Map<string, Map<number, Promise<boolean>>> };
shared.plumblineLeasedWork ??= new Map();
const workedOnHere = shared.plumblineLeasedWork;

/** How many rows `recover` works on at a time. */
const recoverers = 4;

/**
 * Work on rows that are leased, in the background and until it is stored, whoever dies on the way.
 *
 * @param name is for the log, and tells this work from others in this process.
 * @param run works on a row and stores what came of it, on the condition that it still holds the lease. It throws
 *   LeaseLost when that is gone, and whatever else it throws gives the row back to be tried again.
 */
export function defineLeasedWork({
  name,
  leases,
  times,
  run,
}: {
  name: string;
  leases: Leases;
  times: WorkTimes;
  run: (lease: Lease) => Promise<void>;
}) {
  const here = workedOnHere.get(name) ?? new Map<number, Promise<boolean>>();
  workedOnHere.set(name, here);

  async function runWithSignsOfLife(lease: Lease): Promise<void> {
    const signsOfLife = setInterval(() => {
      leases.renew(lease).catch((err) => log.warn({ err, [name]: lease.id }, "A lease could not be renewed"));
    }, times.heartbeatMs);
    try {
      await run(lease);
    } finally {
      clearInterval(signsOfLife);
    }
  }

  /** Works on a row until it is stored, or given back; answers whether it is stored. Never rejects. */
  function begin(lease: Lease): Promise<boolean> {
    const done = runWithSignsOfLife(lease)
      .then(() => true)
      .catch(async (err) => {
        if (err instanceof LeaseLost) log.info({ err, [name]: lease.id }, "Somebody else works on this");
        else {
          log.error({ err, [name]: lease.id, attempt: lease.attempt }, `This ${name} was interrupted`);
          await leases.release(lease).catch(() => {});
        }
        return false;
      })
      .finally(() => here.delete(lease.id));
    here.set(lease.id, done);
    return done;
  }

  /**
   * Waits until a row is finished, whoever works on it, and works on it if nobody does (any more). False when there
   * is no such row.
   */
  async function waitFor(id: number): Promise<boolean> {
    for (;;) {
      if (await here.get(id)) return true;
      const row = await leases.look(id);
      if (!row?.isOpen) return row !== null;
      const lease = row.isFree ? await leases.take(id) : null;
      if (lease) void begin(lease);
      else await delay(times.pollMs);
    }
  }

  /** Finishes what processes that are gone have left open. Returns how many rows it took over. */
  async function recover(): Promise<number> {
    let count = 0;
    const recoverer = async () => {
      for (let lease = await leases.take(); lease; lease = await leases.take()) {
        count += 1;
        await begin(lease);
      }
    };
    await Promise.all(Array.from({ length: recoverers }, recoverer));
    return count;
  }

  return { begin, waitFor, recover };
}
