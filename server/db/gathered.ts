import { setImmediate as nextTick } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ifJobAfterRequests } from "../requests-first.ts";
import { isInTransaction } from "./ambient.ts";

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
};

/** Calls are sent after this many turns of the event loop that brought no more, or after this time. */
const quietTurns = 3;
const longestWaitMs = 1;

/** More would only make a statement slower for those that wait for it. */
const maxItems = 100;

/**
 * Makes one statement of many calls that come at the same time. A call that comes alone is sent within a millisecond;
 * those that come while others are in the database go together, once these are back. So the busier the process, the fewer
 * statements it sends for each call.
 *
 * `all` returns a result for each item, in their order, or rejects without having changed anything: then each item is
 * sent on its own, so that the failure is only that of the call it belongs to. Not for items that wait for each other or
 * for locks of others: what one waits for, all do. Inside an open transaction, the call joins that instead. A job's call
 * waits while a request is being answered.
 */
export function gathered<Item, Result>(
  all: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isSending = false;

  const one = async (item: Item): Promise<Result> => {
    const [result] = await all([item]);
    return result as Result;
  };

  async function send(calls: readonly Waiting<Item, Result>[]): Promise<void> {
    const alone = async ({ item, resolve, reject }: Waiting<Item, Result>) => one(item).then(resolve, reject);
    const [first] = calls;
    if (first && calls.length === 1) return alone(first);
    try {
      const results = await all(calls.map(({ item }) => item));
      for (const [position, { resolve }] of calls.entries()) resolve(results[position] as Result);
    } catch {
      await Promise.all(calls.map(alone));
    }
  }

  /**
   * Waits while the next turns of the event loop bring more calls: for microseconds if none do, and for a group if many requests
   * are being read. A statement wakes a process of PostgreSQL, which costs more than a turn. On a busy event loop, where
   * turns are long, calls do not wait for more than one.
   */
  async function allThatCome(): Promise<void> {
    const until = performance.now() + longestWaitMs;
    let quiet = 0;
    while (quiet < quietTurns && waiting.length < maxItems && performance.now() < until) {
      const known = waiting.length;
      await nextTick();
      quiet = waiting.length > known ? 0 : quiet + 1;
    }
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    try {
      while (waiting.length > 0) {
        await allThatCome();
        const calls = waiting.slice(0, maxItems);
        waiting = waiting.slice(maxItems);
        await send(calls);
      }
    } finally {
      isSending = false;
    }
  }

  const together = (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isSending) void sendAll();
    });

  return (item) => {
    if (isInTransaction()) return one(item);
    const paused = ifJobAfterRequests();
    return paused ? paused.then(() => together(item)) : together(item);
  };
}

/** The condition that a column has one of the ids that are given as `ids`, one value whatever their number: `idsOf`. */
export const isOneOfIds = (column: PgColumn): SQL =>
  sql`${column} = any(${sql.placeholder("ids")}::integer[])`;

/** The same condition with its ids. */
export const isOneOf = (column: PgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${idsOf(ids).ids}::integer[])`;

export const idsOf = (ids: readonly number[]) => ({ ids: `{${[...new Set(ids)].join()}}` });

/**
 * A column's values in a list of given rows, to be compared with a key: `id = any(…)`. Also in addition to a join by the
 * same key, because PostgreSQL may otherwise read a table in full to join it with the rows, if it was small when the
 * statement was planned and has not been analyzed since.
 */
export const anyOf = (rows: string, column: string): SQL =>
  sql`any(array(select ${sql.identifier(column)} from ${sql.identifier(rows)}))`;
