import { SourceError } from "./engine.ts";

/** For each step of connecting: reaching the host, and signing in. */
export const connectTimeoutMs = 10_000;

/**
 * The state of a connection to its server, with a promise that rejects when it breaks. After anything unexpected it is
 * dropped, never repaired.
 */
export class Link {
  readonly #hangUp: () => void;
  readonly #broken = Promise.withResolvers<never>();
  #alive = true;

  /**
   * `hangUp` closes the sockets; it may be called more than once.
   */
  constructor(hangUp: () => void) {
    this.#hangUp = hangUp;
    this.broken.catch(() => {});
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** Rejects with the reason passed to `breaks`. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  /** The driver or the network has closed it. */
  breaks(reason: unknown): void {
    this.#alive = false;
    this.#broken.reject(reason);
  }

  /** Closes it from our side. */
  drop(): void {
    this.#alive = false;
    this.#hangUp();
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
      return await Promise.race([answer, late, this.broken]);
    } finally {
      clearTimeout(timer);
    }
  }
}
