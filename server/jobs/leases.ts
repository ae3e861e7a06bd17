import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { db } from "../db/client.ts";

/**
 * Leases on work represented by a row: an evaluation, an execution. The row is open until the result is stored, and has
 * a lease that its worker keeps renewing; if the worker dies, the lease expires and another worker takes the row over
 * with a new token. Every write to an open row checks the token, so a worker that has lost the lease can no longer
 * write: work done twice is stored once.
 */
export type Lease<Begun = unknown> = {
  id: number;
  token: string;
  /** Counts from 1. */
  attempt: number;
  /** What was read when the row was made, so that its first worker need not read it again. */
  begun?: Begun;
};

/** The lease was lost: another worker has the row, or the row is gone. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Tables with leased rows; each has these columns. */
type LeasedTable = PgTable & Record<"id" | "leaseToken" | "leaseUntil" | "attempts", PgColumn>;

/** In milliseconds. Tests shorten them. */
type LeaseTimes = {
  /** How long a process counts as working on a row without a heartbeat. */
  leaseMs: number;
  /** The delay before retrying a row after an unexpected error, to avoid a busy loop. */
  retryMs: number;
};

export type Leases = ReturnType<typeof leasesOn>;

/** Manages the leases on a table's rows. `isOpen` is the condition for unfinished rows. */
export function leasesOn(table: LeasedTable, isOpen: SQL, times: LeaseTimes) {
  // The current time instead of now(), which is outdated in a transaction that has waited.
  const fromNow = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isFree = sql`(${table.leaseUntil} is null or ${table.leaseUntil} < clock_timestamp())`;

  return {
    /** The columns of a new row that is leased to its creator from the start; its lease has the same token. */
    first: () => ({ leaseToken: randomUUID(), leaseUntil: fromNow(times.leaseMs), attempts: 1 }),

    /** The condition that the row is still open and leased under this token. */
    isHeldBy: ({ id, token }: Lease): SQL =>
      sql`(${table.id} = ${id} and ${table.leaseToken} = ${token} and ${isOpen})`,

    /** Leases an open row that nobody works on: the given one, or the one that has waited longest. */
    async take(id?: number): Promise<Lease<never> | null> {
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

    /** Renews the lease. False if it is lost. */
    async renew(lease: Lease): Promise<boolean> {
      const renewed = await db.execute(
        sql`update ${table} set lease_until = ${fromNow(times.leaseMs)} where ${this.isHeldBy(lease)} returning id`,
      );
      return renewed.length > 0;
    },

    /** Releases a row that could not be finished; after a delay, any worker may take it. */
    async release(lease: Lease): Promise<void> {
      await db.execute(
        sql`update ${table} set lease_until = ${fromNow(times.retryMs)} where ${this.isHeldBy(lease)}`,
      );
    },

    /** Releases a row for another worker to go on at once. The attempt does not count. */
    async handBack(lease: Lease): Promise<void> {
      await db.execute(
        sql`update ${table} set lease_until = clock_timestamp(), attempts = attempts - 1 where ${this.isHeldBy(lease)}`,
      );
    },

    /** Whether a row is unfinished and whether it is free to take; null if there is no such row. */
    async look(id: number): Promise<{ isOpen: boolean; isFree: boolean } | null> {
      const [row] = await db.execute<{ open: boolean; free: boolean }>(
        sql`select ${isOpen} as open, ${isFree} as free from ${table} where ${table.id} = ${id}`,
      );
      return row ? { isOpen: row.open, isFree: row.free } : null;
    },
  };
}
