import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql, TransactionSql } from "postgres";

/**
 * A transaction around several calls that do not know of each other. While one is open, every `db` statement within it
 * joins it, and `db.transaction` becomes a savepoint. A change and its audit entry are thus committed together, and
 * nothing inside waits for a second connection: if all connections belonged to transactions that waited for one more,
 * none would ever end.
 */
type Scope = { unit: Unit; client: TransactionSql };
type Unit = { isOver: boolean; afterCommit: (() => void)[] };

const store = new AsyncLocalStorage<Scope>();

/** Timers outlive the transaction in which they were started; what they run is no longer part of it. */
function openScope(): Scope | null {
  const scope = store.getStore();
  return scope && !scope.unit.isOver ? scope : null;
}

/** Runs the work in one transaction, or joins the open one. Rolls back if it throws. */
export async function within<T>(pool: Sql, work: () => Promise<T>): Promise<T> {
  return openScope() ? work() : inNewScope(pool, [], work);
}

async function inNewScope<T>(
  pool: Sql,
  options: unknown[],
  work: (client: TransactionSql) => T | Promise<T>,
): Promise<T> {
  const unit: Unit = { isOver: false, afterCommit: [] };
  const result = (await (pool.begin as Begin)(...options, (client) =>
    store.run({ unit, client }, async () => {
      try {
        return await work(client);
      } finally {
        unit.isOver = true;
      }
    }),
  )) as T;
  for (const action of unit.afterCommit) action();
  return result;
}

/**
 * For effects that must wait until the change is visible to others and must not happen if it is rolled back, such as
 * background work and in-memory state. Runs immediately outside a transaction.
 */
export function afterCommit(action: () => void): void {
  const scope = openScope();
  if (scope) scope.unit.afterCommit.push(action);
  else action();
}

/** Whether statements join an open transaction. */
export const isInTransaction = (): boolean => openScope() !== null;

/** Call before waiting for another machine: no locks or connection may be held meanwhile. */
export function rejectInTransaction(what: string): void {
  if (openScope()) throw new Error(`${what} must not be waited for inside a transaction`);
}

/** Drizzle's pool: its transactions open a scope, and its statements go to the open transaction, if there is one. */
export function joinOpenTransaction(pool: Sql): Sql {
  const unsafe: Sql["unsafe"] = (...given) => (openScope()?.client ?? pool).unsafe(...given);
  const begin = (...given: [...unknown[], Work]) => {
    const scope = openScope();
    const work = given.pop() as Work;
    if (!scope) return inNewScope(pool, given, work);
    return scope.client.savepoint((client) => store.run({ unit: scope.unit, client }, () => work(client)));
  };
  return new Proxy(pool, {
    get(target, key) {
      if (key === "unsafe") return unsafe;
      return key === "begin" ? begin : Reflect.get(target, key);
    },
  });
}

type Work = (client: TransactionSql) => unknown;
/** The callback is the last argument, after any options. */
type Begin = (...given: [...unknown[], Work]) => unknown;
