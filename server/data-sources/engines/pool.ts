import { SourceError } from "./engine.ts";

/** What a pool holds: a connection that knows whether it still can be used. */
export type Pooled = {
  alive(): boolean;
  /** Asks the server for a sign of life. */
  answers(): Promise<boolean>;
  /** Ends it at once, and what still runs on it. */
  drop(): void;
};

/** A borrowed place in the pool. A connection that broke is replaced when it is asked for again. */
export type Borrowed<C> = () => Promise<C>;

/** A connection that has rested for longer is asked before it is trusted: firewalls forget in silence. */
const trustedIdleMs = 30_000;

/** Connections to one data source: at most `max` at a time, and whoever comes later waits in line. */
export class Pool<C extends Pooled> {
  readonly #open: () => Promise<C>;
  readonly #idle: { connection: C; since: number }[] = [];
  readonly #all = new Set<C>();
  readonly #waiting: { enter: () => void; refuse: (error: Error) => void }[] = [];
  #free: number;
  #closed = false;

  constructor(open: () => Promise<C>, max: number) {
    this.#open = open;
    this.#free = max;
  }

  async use<T>(work: (borrow: Borrowed<C>) => Promise<T>): Promise<T> {
    await this.#enter();
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
      this.#leave();
    }
  }

  close(): void {
    this.#closed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closedError());
    for (const connection of this.#all) this.#forget(connection);
    this.#idle.length = 0;
  }

  async #enter(): Promise<void> {
    if (this.#closed) throw closedError();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((enter, refuse) => this.#waiting.push({ enter, refuse }));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#free++;
  }

  async #take(): Promise<C> {
    for (let rested = this.#idle.pop(); rested; rested = this.#idle.pop()) {
      const { connection, since } = rested;
      const trusted = connection.alive() && Date.now() - since < trustedIdleMs;
      if (trusted || (connection.alive() && (await connection.answers()))) return connection;
      this.#forget(connection);
    }
    if (this.#closed) throw closedError();
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
