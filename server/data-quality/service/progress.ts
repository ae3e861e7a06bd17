import { db } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { evaluations } from "../tables.ts";
import { evaluationLeases } from "./leases.ts";
import type { Watch } from "./measurement.ts";

/** Who looks at it reads a few names at most. */
const mostNames = 20;

/**
 * Shows how far an evaluation is: how many rules are done, and which are being measured. The names are written
 * with the number; apart from it only once something has been measured for long enough to be looked at, so that
 * quick rules cost no more.
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
      // Whether the lease is lost shows at the next rule that is done.
      this.#write().catch(() => {});
    }, limits.progressMs);
    return () => {
      this.#running.delete(names);
    };
  }

  /**
   * Throws LeaseLost, so that what nobody waits for is not measured. That all are done is not written: they are about
   * to be stored.
   */
  async report(rulesDone: number): Promise<void> {
    this.#rulesDone = rulesDone;
    if (rulesDone < this.#rulesTotal) await this.#write();
  }

  /** Nothing is written any more. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** One after the other, each with what is so at its time, so that no later number is overwritten. */
  #write(): Promise<void> {
    const written = this.#written.then(() => this.#writeNow());
    this.#written = written.catch(() => {});
    return written;
  }

  async #writeNow(): Promise<void> {
    const told = db
      .update(evaluations)
      .set({ rulesDone: this.#rulesDone, rulesRunning: [...this.#running].flat().slice(0, mostNames) })
      .where(evaluationLeases.isHeldBy(this.#lease))
      .returning({ id: evaluations.id });
    // Progress that cannot be written is no reason to stop; whether the lease holds shows when it is stored.
    const held = await told.then((rows) => rows.length > 0).catch(() => true);
    if (!held) throw new LeaseLost("The evaluation was taken over while it ran");
  }
}
