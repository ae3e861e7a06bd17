import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql, TransactionSql } from "postgres";

/**
 * One transaction around several calls that know nothing of each other. While it is open, every statement of `db`
 * made within it belongs to it, and `db.transaction` is a savepoint of it: so a change and its audit entry are
 * committed together, and nothing inside waits for a second connection.
 */
type Scope = { unit: Unit; client: TransactionSql };
type Unit = { isOver: boolean; afterCommit: (() => void)[] };

/** One per process, although several parts of it load this module. */
const shared = globalThis as { plumblineTransaction?: AsyncLocalStorage<Scope> };
shared.plumblineTransaction ??= new AsyncLocalStorage();
const store = shared.plumblineTransaction;

/** Timers and the like outlive the transaction in which they were started; what they do is on its own again. */
function openScope(): Scope | null {
  const scope = store.getStore();
  return scope && !scope.unit.isOver ? scope : null;
}

/** Runs the work in one transaction, or in the one that is open already. What it throws undoes all of it. */
export async function within<T>(pool: Sql, work: () => Promise<T>): Promise<T> {
  if (openScope()) return work();
  const unit: Unit = { isOver: false, afterCommit: [] };
  const result = (await pool.begin((client) =>
    store.run({ unit, client }, async () => {
      try {
        return await work();
      } finally {
        unit.isOver = true;
      }
    }),
  )) as T;
  for (const action of unit.afterCommit) action();
  return result;
}

/**
 * For what must not happen before others can see the change, nor at all when it is undone: background work, and
 * what this process keeps in memory. Outside of a transaction it happens at once.
 */
export function afterCommit(action: () => void): void {
  const scope = openScope();
  if (scope) scope.unit.afterCommit.push(action);
  else action();
}

/** Whoever is about to wait for another machine asks this: locks and a connection must not be held meanwhile. */
export function refuseInTransaction(what: string): void {
  if (openScope()) throw new Error(`${what} must not be waited for inside a transaction`);
}

/** The pool, as Drizzle uses it: what is asked of it goes to the transaction that is open here, if one is. */
export function joining(pool: Sql): Sql {
  const unsafe: Sql["unsafe"] = (...given) => (openScope()?.client ?? pool).unsafe(...given);
  const begin = (...given: [...unknown[], Work]) => {
    const scope = openScope();
    if (!scope) return (pool.begin as Begin)(...given);
    const work = given.pop() as Work;
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
/** What to do is the last that it is given, after options. */
type Begin = (...given: [...unknown[], Work]) => unknown;
