import { setTimeout as delay } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";
import { isDatabaseAway } from "./is-away.ts";

type Work = (client: TransactionSql) => unknown;
/** The callback is the last argument, after any options. */
type Begin = (...given: [...unknown[], Work]) => Promise<unknown>;

/**
 * The pool, with a `begin` that does not roll back if the connection is gone. The driver would write to it and then
 * lose that slot of the pool: the next caller would wait until the connect timeout. There is nothing to roll back,
 * and `begin` itself has already rejected.
 */
export function withoutLostRollback(pool: Sql): Sql {
  const begin: Begin = (...given) => {
    const work = given.pop() as Work;
    const over = Promise.withResolvers<"over">();
    const transaction = (pool.begin as Begin)(...given, async (client) => {
      try {
        return await work(client);
      } catch (error) {
        // The server announces that it closes a connection before it does.
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
