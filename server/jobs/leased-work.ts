import { setTimeout as delay } from "node:timers/promises";
import { log } from "../telemetry/log.ts";
import { type Lease, LeaseLost, type Leases } from "./leases.ts";

/** In milliseconds. Tests shorten them. */
type WorkTimes = {
  /** The heartbeat interval of a worker. */
  heartbeatMs: number;
  /** The poll interval while waiting for another process. */
  pollMs: number;
};

/** Rows that this process is working on, by the kind of work. */
const rowsInProgress = new Map<string, Map<number, Promise<boolean>>>();

/** What this process is working on, of all kinds. */
const inProgress = new Set<{ loss: AbortController; done: Promise<unknown> }>();

/** This process ends, and another one goes on. */
class HandedBack extends Error {
  override readonly name = "HandedBack";
}

/** Whether this process takes no more work, because it is about to close its connections. */
let isStopping = false;

/**
 * Interrupts all work in progress and releases its rows, so that another process takes them over at once and the
 * interruption does not count as an attempt. This process does not take them again. Waits a moment for it. To be called
 * before connections are closed.
 */
export async function handBackWork(waitMs = 5_000): Promise<void> {
  isStopping = true;
  for (const { loss } of inProgress) loss.abort(new HandedBack("The process is stopping"));
  const all = Promise.all([...inProgress].map(({ done }) => done));
  await Promise.race([all, delay(waitMs, null, { ref: false })]);
}

/** For tests that go on as another process would. */
export function takeWorkAgain(): void {
  isStopping = false;
}

const lost = () => new LeaseLost("The row was closed or taken over");

/** How many rows `recover` works on at a time. */
const recoverers = 4;

/**
 * Works on leased rows in the background until the result is stored, surviving the death of processes.
 *
 * @param name identifies this work in the log and in this process.
 * @param run works on a row and stores the result, provided that it still holds the lease. It throws LeaseLost if not;
 * any other error releases the row to be retried. Its signal is aborted when the lease is found to be lost.
 */
export function defineLeasedWork<Begun = unknown>({
  name,
  leases,
  times,
  run,
}: {
  name: string;
  leases: Leases;
  times: WorkTimes;
  run: (lease: Lease<Begun>, signal: AbortSignal) => Promise<void>;
}) {
  const here = rowsInProgress.get(name) ?? new Map<number, Promise<boolean>>();
  rowsInProgress.set(name, here);
  const losses = new Map<number, AbortController>();

  async function runWithHeartbeat(lease: Lease<Begun>, loss: AbortController): Promise<void> {
    if (isStopping) throw new HandedBack("The process is stopping");
    losses.set(lease.id, loss);
    const heartbeat = setInterval(() => {
      leases.renew(lease).then(
        (isHeld) => isHeld || loss.abort(lost()),
        (err) => isStopping || log.warn({ err, [name]: lease.id }, "A lease could not be renewed"),
      );
    }, times.heartbeatMs);
    try {
      await run(lease, loss.signal);
    } finally {
      clearInterval(heartbeat);
      if (losses.get(lease.id) === loss) losses.delete(lease.id);
    }
  }

  /** Works on a row until its result is stored or the row is released; returns whether it is stored. Never rejects. */
  function begin(lease: Lease<Begun>): Promise<boolean> {
    const loss = new AbortController();
    const done = runWithHeartbeat(lease, loss)
      .then(() => true)
      .catch(async (err) => {
        if (err instanceof HandedBack) {
          log.info({ [name]: lease.id }, `This ${name} is handed back: the process is stopping`);
          await leases.handBack(lease);
        } else if (err instanceof LeaseLost)
          log.info(
            { err, [name]: lease.id },
            "The lease is lost: another worker took over, or this is closed",
          );
        else {
          log.error({ err, [name]: lease.id, attempt: lease.attempt }, `This ${name} was interrupted`);
          await leases.release(lease).catch(() => {});
        }
        return false;
      })
      .finally(() => {
        here.delete(lease.id);
        inProgress.delete(own);
      });
    const own = { loss, done };
    inProgress.add(own);
    here.set(lease.id, done);
    return done;
  }

  /**
   * Waits until a row is finished, whoever works on it, and works on it if nobody does (any longer). False if there is
   * no such row.
   */
  async function waitFor(id: number): Promise<boolean> {
    for (;;) {
      if (await here.get(id)) return true;
      // Connections are about to be closed, or already are.
      while (isStopping) await delay(times.pollMs, null, { ref: false });
      const row = await leases.look(id);
      if (!row?.isOpen) return row !== null;
      const lease = row.isFree ? await leases.take(id) : null;
      if (lease) void begin(lease);
      else await delay(times.pollMs);
    }
  }

  /** Finishes what dead processes left open. Returns how many rows it took over. */
  async function recover(): Promise<number> {
    let count = 0;
    const recoverer = async () => {
      while (!isStopping) {
        const lease = await leases.take();
        if (!lease) break;
        count += 1;
        await begin(lease);
      }
    };
    await Promise.all(Array.from({ length: recoverers }, recoverer));
    return count;
  }

  /** The row was closed by someone else: if this process works on it, it hears of that before its next heartbeat. */
  const interrupt = (id: number): void => losses.get(id)?.abort(lost());

  return { begin, waitFor, recover, interrupt };
}
