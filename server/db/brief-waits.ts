import { sql } from "drizzle-orm";
import { failureCode } from "../errors.ts";
import type { Transaction } from "./client.ts";

/**
 * What a group waits for, all of it do (gathered.ts). Others hold locks for milliseconds, as a rule; if it takes longer, the
 * group is taken apart, and only the one that has to wait does.
 */
const longestWaitMs = 1000;

/** A statement after which those of its transaction fail rather than wait for long. */
export const waitBriefly = (tx: Transaction) =>
  tx.execute(sql`select set_config('lock_timeout', ${String(longestWaitMs)}, true)`);

/** The work of a group, which returns null for a single one that would have had to wait for long. */
export const unlessItWaitsLong =
  <Item, Result>(all: (items: readonly Item[]) => Promise<readonly (Result | null)[]>) =>
  async (items: readonly Item[]): Promise<readonly (Result | null)[]> => {
    try {
      return await all(items);
    } catch (error) {
      if (items.length === 1 && failureCode(error) === lockNotAvailable) return [null];
      throw error;
    }
  };

const lockNotAvailable = "55P03";
