import { setTimeout as delay } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";
import { isDatabaseAway } from "./is-away.ts";

type Work = (client: TransactionSql) => unknown;
/** What to do is the last that it is given, after options. */
type Begin = (...given: [...unknown[], Work]) => Promise<unknown>;

/**
 * The pool, with a `begin` that does not roll back where the connection is gone. The driver would write to it, and
 * then never be able to use its place in the pool again: whoever got that place would wait until the attempt to
 * connect times out. Nothing is left to be rolled back, and `begin` itself has rejected.
 */
export function sparingLostConnections(pool: Sql): Sql {
  const begin: Begin = (...given) => {
    const work = given.pop() as Work;
    const over = Promise.withResolvers<"over">();
    const transaction = (pool.begin as Begin)(...given, async (client) => {
      try {
        return await work(client);
      } catch (error) {
        // The server tells that it ends a connection before it does.
        const isGone =
          isDatabaseAway(error) &&
          (await Promise.race([over.promise, delay(1000, null, { ref: false })])) === "over";
        if (isGone) return new Promise(() => {});
        throw error;
      }
    });
    transaction.finally(() => over.resolve("over")).catch(() => {});
    return transaction;
  };
  return new Proxy(pool, { get: (target, key) => (key === "begin" ? begin : Reflect.get(target, key)) });
}
