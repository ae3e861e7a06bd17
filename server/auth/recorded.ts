import { inOneTransaction } from "../db/client.ts";
import type { Context } from "./principal.ts";

/**
 * Stores a change and its audit entry in one transaction, for procedures declared as `preparedChange`, after anything
 * slow or remote. The entry is built from the work's return value. Without an audit log, as in jobs and tests, the
 * work is still one transaction.
 */
export const recorded = <T>(ctx: Pick<Context, "recorded">, store: () => Promise<T>): Promise<T> =>
  ctx.recorded ? ctx.recorded(store) : inOneTransaction(store);
