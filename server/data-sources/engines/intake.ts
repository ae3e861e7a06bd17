import type { Socket } from "node:net";
import type { Cell, Limits, ResultSet } from "./engine.ts";
import { sizeOf } from "./row-size.ts";

/** How much may arrive beyond the limit, as the rest of a batch or row, before the connection is cut. */
const overshootBytes = 4 * 1024 * 1024;

/**
 * Counts bytes arriving on a socket, below the driver, which would buffer a gigabyte value before returning it.
 * Exceeding the allowance ends the connection.
 */
export class Wire {
  #received = 0;
  #allowed = Number.POSITIVE_INFINITY;
  #isOverrun = false;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.length;
      if (this.#received <= this.#allowed) return;
      this.#isOverrun = true;
      socket.destroy();
    });
  }

  get isOverrun(): boolean {
    return this.#isOverrun;
  }

  /** Allows this many more bytes to arrive, plus a margin. */
  allow(bytes: number): void {
    this.#allowed = this.#received + bytes + overshootBytes;
  }

  allowAll(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
  }
}

/** The rows of one statement as they arrive: kept up to a limit, then dropped or counted. */
export class Intake<Column> {
  readonly limits: Limits;
  /** As the driver describes them; set by the driver once known. */
  columns: readonly Column[] = [];
  /** How many rows have arrived or were skipped, kept or not. */
  count = 0;
  #rows: Cell[][] = [];
  #kept = 0;
  readonly #wire: Wire;
  #bytes = 0;
  #truncated = false;

  constructor(limits: Limits, wire: Wire) {
    this.limits = limits;
    this.#wire = wire;
    wire.allow(limits.maxBytes);
  }

  /** Another row has arrived. Returns whether to keep it; otherwise it is only counted. */
  arrives(): boolean {
    this.count++;
    // When all rows are counted, the limit is each row's own: no more than one has to be held.
    if (this.limits.countAll) this.#wire.allow(this.limits.maxBytes);
    return !this.#truncated;
  }

  /** Keeps the row if it is within the limits; after the first that is not, no more rows are kept. */
  keep(row: Cell[]): void {
    this.#bytes += sizeOf(row);
    this.#truncated = this.#kept >= this.limits.maxRows || this.exceedsBytes;
    if (this.#truncated) return;
    this.#rows.push(row);
    this.#kept++;
  }

  /** The rest was dropped. */
  cut(): void {
    this.#truncated = true;
  }

  /** The rest was cancelled: bytes that still arrive are not counted. */
  ignoreRest(): void {
    this.#wire.allowAll();
  }

  get isTruncated(): boolean {
    return this.#truncated;
  }

  /** Whether nothing more is needed, not even a count. */
  get isFull(): boolean {
    return this.#truncated && !this.limits.countAll;
  }

  get exceedsBytes(): boolean {
    return this.#bytes > this.limits.maxBytes;
  }

  /** How many rows are kept. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * Hands over the rows, once. A driver's statement outlives them, and what it references stays in memory until a full
   * collection.
   */
  result(): Omit<ResultSet, "columns"> {
    const rows = this.#rows;
    this.#rows = [];
    return { rows, truncated: this.#truncated, rowCount: this.limits.countAll ? this.count : this.#kept };
  }
}
