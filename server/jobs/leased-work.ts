import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "../db/client.ts";
import { log } from "../log.ts";

/**
 * Work that a row of a table stands for: an evaluation, an execution. The row is open until the work is stored, and
 * has a lease that its worker keeps renewing; when the worker dies, the lease runs out and somebody else takes the
 * row over under a new token. Everything that is written about an open row names the token, so whoever has lost
 * the lease can write no more: what is worked on twice is stored once.
 */
export type Lease = {
  id: number;
  token: string;
  /** Counts from 1. */
  attempt: number;
};

/** The lease was lost: somebody else works on the row, or it is gone. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Tables whose rows are worked on; the columns are called so in each. */
type LeasedTable = PgTable & Record<"id" | "leaseToken" | "leaseUntil" | "attempts", PgColumn>;

/** In milliseconds. Tests shorten them. */
export type LeaseTimes = {
  /** For how long a process is believed to work on a row without a sign of life, and how often it gives one. */
  leaseMs: number;
  heartbeatMs: number;
  /** How long a row rests that something unexpected ended, so that a lasting fault is not a busy loop. */
  retryMs: number;
  /** How often somebody who waits for another process looks. */
  pollMs: number;
};

/** Rows that this process works on, by the name of their work. Next and server/main.ts each load this module. */
const shared = globalThis as { plumblineLeasedWork?: Map<string, Map<number, Promise<void>>> };
shared.plumblineLeasedWork ??= new Map();
const workedOnHere = shared.plumblineLeasedWork;

/** How many rows `recover` works on at a time. */
const recoverers = 4;

export type LeasedWork = ReturnType<typeof defineLeasedWork>;

/**
 * @param work `name` is for the log, and tells this work from others in this process. `isOpen` says which rows are
 *   not finished. `run` works on a row and stores what came of it, on the condition that it still holds the lease; it throws LeaseLost when the
 *   lease is gone, and whatever else it throws gives the row back to be tried again.
 */
export function defineLeasedWork(work: {
  name: string;
  table: LeasedTable;
  isOpen: SQL;
  times: LeaseTimes;
  run: (lease: Lease, isHeld: SQL) => Promise<void>;
}) {
  const { name, table, isOpen, times, run } = work;
  const here = workedOnHere.get(name) ?? new Map<number, Promise<void>>();
  workedOnHere.set(name, here);

  // The clock itself rather than now(): inside a transaction that waited, now() is long past.
  const fromNow = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isFree = sql`(${table.leaseUntil} is null or ${table.leaseUntil} < clock_timestamp())`;

  /** What a new row is inserted with, so that it is its maker's from the start; the lease has the same token. */
  const firstLease = () => ({ leaseToken: randomUUID(), leaseUntil: fromNow(times.leaseMs), attempts: 1 });

  /** The condition that the row is still the lease's. */
  const isHeldBy = ({ id, token }: Lease): SQL =>
    sql`(${table.id} = ${id} and ${table.leaseToken} = ${token} and ${isOpen})`;

  /** Takes an open row that nobody works on: this one, or of all the one that has waited longest. */
  async function take(id?: number): Promise<Lease | null> {
    const token = randomUUID();
    const which = id === undefined ? sql`true` : sql`${table.id} = ${id}`;
    const [taken] = await db.execute<{ id: number; attempts: number }>(sql`
      update ${table} set lease_token = ${token}, lease_until = ${fromNow(times.leaseMs)}, attempts = attempts + 1
      where id = (
        select id from ${table} where ${isOpen} and ${isFree} and ${which}
        order by lease_until nulls first limit 1 for update skip locked
      )
      returning id, attempts`);
    return taken ? { id: taken.id, token, attempt: taken.attempts } : null;
  }

  /** A sign of life. False when the lease is lost. */
  async function renew(lease: Lease): Promise<boolean> {
    const renewed = await db.execute(
      sql`update ${table} set lease_until = ${fromNow(times.leaseMs)} where ${isHeldBy(lease)} returning id`,
    );
    return renewed.length > 0;
  }

  /** Gives a row back that could not be finished: after a rest, the next who looks takes it. */
  async function release(lease: Lease): Promise<void> {
    await db.execute(
      sql`update ${table} set lease_until = ${fromNow(times.retryMs)} where ${isHeldBy(lease)}`,
    );
  }

  async function runWithSignsOfLife(lease: Lease): Promise<void> {
    const signsOfLife = setInterval(() => {
      renew(lease).catch((err) => log.warn({ err, [name]: lease.id }, "A lease could not be renewed"));
    }, times.heartbeatMs);
    try {
      await run(lease, isHeldBy(lease));
    } finally {
      clearInterval(signsOfLife);
    }
  }

  /** Works on a row until it is stored, or given back. Never rejects. */
  function begin(lease: Lease): Promise<void> {
    const done = runWithSignsOfLife(lease)
      .catch(async (err) => {
        if (err instanceof LeaseLost)
          return log.info({ err, [name]: lease.id }, "Somebody else works on this");
        log.error({ err, [name]: lease.id, attempt: lease.attempt }, `This ${name} was interrupted`);
        await release(lease).catch(() => {});
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
      await here.get(id);
      const [row] = await db.execute<{ open: boolean; free: boolean }>(
        sql`select ${isOpen} as open, ${isFree} as free from ${table} where ${table.id} = ${id}`,
      );
      if (!row) return false;
      if (!row.open) return true;
      const lease = row.free ? await take(id) : null;
      if (lease) void begin(lease);
      else await delay(times.pollMs);
    }
  }

  /** Finishes what processes that are gone have left open. Returns how many rows it took over. */
  async function recover(): Promise<number> {
    let count = 0;
    const recoverer = async () => {
      for (let lease = await take(); lease; lease = await take()) {
        count += 1;
        await begin(lease);
      }
    };
    await Promise.all(Array.from({ length: recoverers }, recoverer));
    return count;
  }

  return { firstLease, isHeldBy, take, renew, begin, waitFor, recover };
}
