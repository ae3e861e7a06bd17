import { inOneTransaction } from "../db/client.ts";
import type { Context } from "./principal.ts";

/**
 * Stores a change and its audit entry in one transaction: for a procedure that is declared a `preparedChange`, after
 * whatever takes long or asks other machines. What the work returns is what the entry is made of. Where nobody keeps
 * an audit log, as in jobs and tests, the work is one transaction all the same.
 */
export const recorded = <T>(ctx: Pick<Context, "recorded">, store: () => Promise<T>): Promise<T> =>
  ctx.recorded ? ctx.recorded(store) : inOneTransaction(store);
