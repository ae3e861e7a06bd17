/**
 * Names that came up within a while, so that what is repeated is noted once. Holds a limited number of them: beyond, new ones
 * do not count as new until others have expired.
 */
export class RecentNames {
  readonly #windowMs: number;
  readonly #max: number;
  /** The oldest first. */
  readonly #seen = new Map<string, number>();

  constructor({ windowMs, max }: { windowMs: number; max: number }) {
    this.#windowMs = windowMs;
    this.#max = max;
  }

  isNew(name: string, now = Date.now()): boolean {
    for (const [oldest, at] of this.#seen) {
      if (now - at < this.#windowMs) break;
      this.#seen.delete(oldest);
    }
    if (this.#seen.has(name) || this.#seen.size >= this.#max) return false;
    this.#seen.set(name, now);
    return true;
  }
}
