/**
 * Who asks for a connection: a person, who is waiting for it, or the schedule, which can wait.
 */
export type Priority = "person" | "schedule";

/** As many as an engine's pool holds, so that the line is here, where it is known who stands in it. */
const most = 3;

type Waiting = Record<Priority, (() => void)[]>;

/**
 * The connections of this process to one data source, shared out fairly. Scheduled work never holds more than
 * two, however much of it there is, and what it leaves is for people; people never hold all three while scheduled
 * work waits for its first. Within a kind, first come, first served. A connection is held for a whole session.
 */
export class Slots {
  readonly #used: Record<Priority, number> = { person: 0, schedule: 0 };
  readonly #waiting: Waiting = { person: [], schedule: [] };

  /** Whether nobody holds or waits for anything. */
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

  /** Only when a connection is to spare at this moment: nobody waits, and one stays free for a person. Else null. */
  useSpare<T>(work: () => Promise<T>): Promise<T> | null {
    const isWanted = this.#waiting.person.length + this.#waiting.schedule.length > 0;
    if (isWanted || this.#total >= most - 1) return null;
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

  /** Who goes next, people first. */
  #next(): Priority | null {
    const { person, schedule } = this.#waiting;
    if (this.#total >= most) return null;
    if (person.length > 0 && (this.#used.person < most - 1 || schedule.length === 0)) return "person";
    // Scheduled work takes the last connection only where it would have none at all.
    const mayEnter = this.#used.schedule === 0 || this.#total < most - 1;
    return schedule.length > 0 && mayEnter ? "schedule" : null;
  }

  get #total(): number {
    return this.#used.person + this.#used.schedule;
  }
}
