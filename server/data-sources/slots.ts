/** The priority of a connection request: a user is waiting, or it is scheduled and can wait. */
export type Priority = "person" | "schedule";

const maxConnections = 3;

type Waiting = Record<Priority, (() => void)[]>;

/**
 * Shares this process's connections to one data source fairly. Scheduled work never holds more than two, so that one is
 * always left for people; people never hold all three while scheduled work waits for its first. Within a priority,
 * first come, first served. A connection is held for a whole session.
 *
 * This is the only queue: behind it, a source opens a connection whenever none is idle (engines/pool.ts).
 */
export class Slots {
  readonly #used: Record<Priority, number> = { person: 0, schedule: 0 };
  readonly #waiting: Waiting = { person: [], schedule: [] };

  /** Whether no one holds or waits for a connection. */
  get areAtRest(): boolean {
    return this.#total === 0 && this.#waiting.person.length === 0 && this.#waiting.schedule.length === 0;
  }

  async use<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.#waiting[priority].push(enter);
      this.#admit();
    });
    return this.#leaveAfter(priority, work);
  }

  /** Only if a connection is to spare: nobody is waiting, and one stays free for people. Otherwise null. */
  useSpare<T>(work: () => Promise<T>): Promise<T> | null {
    const isWanted = this.#waiting.person.length + this.#waiting.schedule.length > 0;
    if (isWanted || this.#total >= maxConnections - 1) return null;
    this.#used.schedule++;
    return this.#leaveAfter("schedule", work);
  }

  async #leaveAfter<T>(priority: Priority, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#used[priority]--;
      this.#admit();
    }
  }

  #admit(): void {
    for (let priority = this.#next(); priority; priority = this.#next()) {
      this.#used[priority]++;
      this.#waiting[priority].shift()?.();
    }
  }

  /** The next in line, people first. */
  #next(): Priority | null {
    const { person, schedule } = this.#waiting;
    if (this.#total >= maxConnections) return null;
    if (person.length > 0 && (this.#used.person < maxConnections - 1 || schedule.length === 0))
      return "person";
    // Scheduled work takes the last connection only if it would otherwise have none.
    const mayEnter = this.#used.schedule === 0 || this.#total < maxConnections - 1;
    return schedule.length > 0 && mayEnter ? "schedule" : null;
  }

  get #total(): number {
    return this.#used.person + this.#used.schedule;
  }
}
