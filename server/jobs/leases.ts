import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "../db/client.ts";

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
type LeaseTimes = {
  /** For how long a process is believed to work on a row without a sign of life. */
  leaseMs: number;
  /** How long a row rests that something unexpected ended, so that a lasting fault is not a busy loop. */
  retryMs: number;
};

export type Leases = ReturnType<typeof leasesOn>;

/** The leases on a table's rows. `isOpen` says which of them are not finished. */
export function leasesOn(table: LeasedTable, isOpen: SQL, times: LeaseTimes) {
  // The clock itself rather than now(): inside a transaction that waited, now() is long past.
  const fromNow = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isFree = sql`(${table.leaseUntil} is null or ${table.leaseUntil} < clock_timestamp())`;

  return {
    /** What a new row is inserted with, so that it is its maker's from the start; the lease has the same token. */
    first: () => ({ leaseToken: randomUUID(), leaseUntil: fromNow(times.leaseMs), attempts: 1 }),

    /** The condition that the row is still the lease's. */
    isHeldBy: ({ id, token }: Lease): SQL =>
      sql`(${table.id} = ${id} and ${table.leaseToken} = ${token} and ${isOpen})`,

    /** Takes an open row that nobody works on: this one, or of all the one that has waited longest. */
    async take(id?: number): Promise<Lease | null> {
      const token = randomUUID();
      const which = id === undefined ? sql`true` : sql`${table.id} = ${id}`;
      const [taken] = await db.execute<{ id: number; attempts: number }>(sql`
        update ${table}
        set lease_token = ${token}, lease_until = ${fromNow(times.leaseMs)}, attempts = attempts + 1
        where id = (
          select id from ${table} where ${isOpen} and ${isFree} and ${which}
          order by lease_until nulls first limit 1 for update skip locked
        )
        returning id, attempts`);
      return taken ? { id: taken.id, token, attempt: taken.attempts } : null;
    },

    /** A sign of life. False when the lease is lost. */
    async renew(lease: Lease): Promise<boolean> {
      const renewed = await db.execute(
        sql`update ${table} set lease_until = ${fromNow(times.leaseMs)} where ${this.isHeldBy(lease)} returning id`,
      );
      return renewed.length > 0;
    },

    /** Gives a row back that could not be finished: after a rest, the next who looks takes it. */
    async release(lease: Lease): Promise<void> {
      await db.execute(
        sql`update ${table} set lease_until = ${fromNow(times.retryMs)} where ${this.isHeldBy(lease)}`,
      );
    },

    /** Whether a row is not finished, and whether anybody may take it; null when there is no such row. */
    async look(id: number): Promise<{ isOpen: boolean; isFree: boolean } | null> {
      const [row] = await db.execute<{ open: boolean; free: boolean }>(
        sql`select ${isOpen} as open, ${isFree} as free from ${table} where ${table.id} = ${id}`,
      );
      return row ? { isOpen: row.open, isFree: row.free } : null;
    },
  };
}
