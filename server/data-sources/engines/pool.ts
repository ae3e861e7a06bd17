import { SourceError } from "./engine.ts";

/** A pooled connection, which knows whether it is still usable. */
export type Pooled = {
  alive(): boolean;
  /** Pings the server. */
  answers(): Promise<boolean>;
  /** Closes it immediately, with any running statement. */
  drop(): void;
};

/** A borrowed place in the pool. A connection that broke is replaced on the next request. */
export type Borrowed<C> = () => Promise<C>;

/** Runs work on one borrowed connection, strictly in sequence. */
export function inTurn<C>(borrow: Borrowed<C>): <T>(work: (connection: C) => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(async () => work(await borrow()));
    last = result.catch(() => {});
    return result;
  };
}

/** A connection idle for longer is pinged before use: firewalls drop idle ones silently. */
const trustedIdleMs = 30_000;

/**
 * Reuses connections to one data source, opening a new one if none is idle. Limits and queueing are up to the data
 * source's slots alone (slots.ts).
 */
export class Pool<C extends Pooled> {
  readonly #open: () => Promise<C>;
  readonly #idle: { connection: C; since: number }[] = [];
  readonly #all = new Set<C>();
  #closed = false;

  constructor(open: () => Promise<C>) {
    this.#open = open;
  }

  async use<T>(work: (borrow: Borrowed<C>) => Promise<T>): Promise<T> {
    let held: C | null = null;
    try {
      return await work(async () => {
        if (held?.alive()) return held;
        if (held) this.#forget(held);
        held = null;
        held = await this.#take();
        return held;
      });
    } finally {
      if (held) this.#giveBack(held);
    }
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#all) this.#forget(connection);
    this.#idle.length = 0;
  }

  async #take(): Promise<C> {
    if (this.#closed) throw closedError();
    for (let rested = this.#idle.pop(); rested; rested = this.#idle.pop()) {
      const { connection, since } = rested;
      const trusted = connection.alive() && Date.now() - since < trustedIdleMs;
      if (trusted || (connection.alive() && (await connection.answers()))) return connection;
      this.#forget(connection);
    }
    const connection = await this.#open();
    this.#all.add(connection);
    if (this.#closed) {
      this.#forget(connection);
      throw closedError();
    }
    return connection;
  }

  #giveBack(connection: C): void {
    if (this.#closed || !connection.alive()) this.#forget(connection);
    else this.#idle.push({ connection, since: Date.now() });
  }

  #forget(connection: C): void {
    this.#all.delete(connection);
    connection.drop();
  }
}

const closedError = () => new SourceError("unreachable", "The data source was closed or changed");
