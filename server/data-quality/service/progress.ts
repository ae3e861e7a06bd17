import { db } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { evaluations } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { evaluationLeases } from "./leases.ts";
import type { Watch } from "./measurement-queue.ts";

/** The maximum number of names shown: people read only a few. */
const maxNames = 20;

/**
 * Publishes an evaluation's progress: the number of rules done, and the names in progress. Names are written along with
 * the number, or on their own once a rule has run long enough to matter, so that quick rules cost no extra writes.
 */
export class Progress implements Watch<{ name: string }> {
  readonly #lease: Lease;
  readonly #rulesTotal: number;
  readonly #running = new Set<readonly string[]>();
  #rulesDone = 0;
  #written: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(lease: Lease, rulesTotal: number) {
    this.#lease = lease;
    this.#rulesTotal = rulesTotal;
  }

  begin(rules: readonly { name: string }[]): () => void {
    const names = rules.map(({ name }) => name);
    this.#running.add(names);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // A lost lease is detected when the next rule is done.
      this.#write().catch(() => {});
    }, limits.progressMs);
    return () => {
      this.#running.delete(names);
    };
  }

  /**
   * Throws LeaseLost, to stop work that nobody waits for. The final number is not written, since the result is about to
   * be stored.
   */
  async report(rulesDone: number): Promise<void> {
    this.#rulesDone = rulesDone;
    if (rulesDone < this.#rulesTotal) await this.#write();
  }

  /** No more writes. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** One write at a time, each with the current state, so that a later number is never overwritten. */
  #write(): Promise<void> {
    const written = this.#written.then(() => this.#writeNow());
    this.#written = written.catch(() => {});
    return written;
  }

  async #writeNow(): Promise<void> {
    const told = db
      .update(evaluations)
      .set({ rulesDone: this.#rulesDone, rulesRunning: [...this.#running].flat().slice(0, maxNames) })
      .where(evaluationLeases.isHeldBy(this.#lease))
      .returning({ id: evaluations.id });
    // Failing to write progress is no reason to stop; storing the result checks the lease.
    const held = await told.then((rows) => rows.length > 0).catch(() => true);
    if (!held) throw new LeaseLost("The evaluation was taken over while it ran");
  }
}
