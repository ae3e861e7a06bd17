import { SourceError } from "./engine.ts";

/** For each step of connecting: reaching the host, and signing in. */
export const connectTimeoutMs = 10_000;

/**
 * The state of a connection to its server. After anything unexpected it is dropped, never repaired.
 */
export class Link {
  readonly #hangUp: () => void;
  readonly #waiting = new Set<(reason: unknown) => void>();
  #broken: { reason: unknown } | null = null;
  #alive = true;

  /**
   * `hangUp` closes the sockets; it may be called more than once.
   */
  constructor(hangUp: () => void) {
    this.#hangUp = hangUp;
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** The driver or the network has closed it. */
  breaks(reason: unknown): void {
    this.#alive = false;
    this.#broken ??= { reason };
    for (const reject of this.#waiting) reject(this.#broken.reason);
    this.#waiting.clear();
  }

  /** Closes it from our side. */
  drop(): void {
    this.#alive = false;
    this.#hangUp();
  }

  /**
   * Waits for the server, and rejects with the reason passed to `breaks` when that is called first. A race with one
   * promise that lasts as long as the connection would leave something behind for each statement.
   */
  async unlessBroken<T>(answer: Promise<T>): Promise<T> {
    const { promise: broken, reject } = Promise.withResolvers<never>();
    if (this.#broken) reject(this.#broken.reason);
    else this.#waiting.add(reject);
    try {
      return await Promise.race([answer, broken]);
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /** Waits for the server for at most this many milliseconds. A server that takes longer is no longer trusted. */
  async within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new SourceError("unreachable", "The server stopped responding"));
        this.drop();
      }, milliseconds);
    });
    try {
      return await this.unlessBroken(Promise.race([answer, late]));
    } finally {
      clearTimeout(timer);
    }
  }
}
