import { performance } from "node:perf_hooks";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { compileRule, type MeasurableRule, type SqlEngine, type Target } from "../compile.ts";
import { limits } from "../limits.ts";
import { executionFailed, isUnreachable, measureRule, measureTogether } from "../measure.ts";
import { type Expected, longestFirst, type Reading, worthSharing } from "../readings.ts";
import type { Verdict } from "../rules/rule.ts";

export type MeasuredRule<Rule> = {
  rule: Rule;
  verdict: Verdict;
  /**
   * From the statement to its answer. Rules that shared a scan each report an equal part of it: what one of them
   * took cannot be told, and so the sum is what was spent.
   */
  executionTimeMs: number;
  /** Why the data source could not be reached, where that is why the rule failed. */
  unreachableBecause: string | null;
};

/** One rule of this measurement: a thing of its own, though a rule be asked twice. */
type Asked<Rule> = MeasurableRule & Expected & { rule: Rule };

/** Who watches the work. */
export type Watch<Rule> = {
  /** Is told how many rules are done, and waited for. LeaseLost from it ends the work. */
  report(rulesDone: number): Promise<void>;
  /** Is told which rules are begun to be measured; what it answers is called when they have been. */
  begin?(rules: readonly Rule[]): () => void;
};

type Finished<Rule> = Omit<MeasuredRule<Rule>, "rule"> & { asked: Asked<Rule> };

/** What is to be measured, what has been, and the steps from one to the other. */
export class Measurement<Rule extends MeasurableRule & Expected> {
  readonly #rules: readonly Asked<Rule>[];
  readonly #target: Target;
  readonly #watch: Watch<Rule>;
  readonly #sharing: boolean;
  readonly #measured = new Map<Asked<Rule>, MeasuredRule<Rule>>();
  #engine: SqlEngine | null = null;
  /** Can share a scan, if the server understands them. */
  #unchecked: Asked<Rule>[] = [];
  #sharingScan: Asked<Rule>[] = [];
  #readings: Reading<Asked<Rule>>[] = [];
  #reported: Promise<void> = Promise.resolve();
  #more = Promise.withResolvers<void>();
  #stopped: { because: unknown } | null = null;

  constructor(rules: readonly Rule[], target: Target, watch: Watch<Rule>, sharing: boolean) {
    this.#rules = rules.map((rule) => ({
      rule,
      type: rule.type,
      configuration: rule.configuration,
      lastRun: rule.lastRun,
    }));
    this.#target = target;
    this.#watch = watch;
    this.#sharing = sharing;
  }

  get isDone(): boolean {
    return this.#measured.size === this.#rules.length;
  }

  get hasMore(): boolean {
    return this.#readings.length > 0;
  }

  /** The results in the order of the rules. */
  results(): MeasuredRule<Rule>[] {
    return this.#rules.flatMap((asked) => this.#measured.get(asked) ?? []);
  }

  /** Settles who could share a scan; what cannot even be compiled is done. Later calls change nothing. */
  plan(engine: SqlEngine): void {
    if (this.#engine) return;
    this.#engine = engine;
    const sharing: Asked<Rule>[] = [];
    for (const asked of this.#rules) {
      try {
        const { sharesScan } = compileRule(asked, this.#target, engine);
        if (sharesScan && this.#sharing) sharing.push(asked);
      } catch (error) {
        this.#note(failed(asked, error, 0));
      }
    }
    const shared = worthSharing(sharing);
    if (shared.length > 1) this.#unchecked = shared;
    this.#readings = this.#left()
      .filter((asked) => !this.#unchecked.includes(asked))
      .map((asked) => [asked]);
    this.#gather();
  }

  /**
   * Has the server look at each rule that is to share a scan; true when the connection broke. One that it does
   * not understand has failed, and one that an index answers runs alone: it takes no scan.
   */
  async check(session: Session): Promise<boolean> {
    if (!session.check) this.#sharingScan.push(...this.#unchecked.splice(0));
    let broke = false;
    for (let asked = this.#unchecked[0]; asked && !broke; asked = this.#unchecked[0]) {
      const elapsed = stopwatch();
      try {
        const { statement } = compileRule(asked, this.#target, this.#speaking());
        const timeoutMs = Math.min(limits.checkTimeoutMs, limits.ruleTimeoutMs);
        const found = await session.check?.(statement, { timeoutMs });
        this.#unchecked.shift();
        if (found?.scans === false) this.#readings.push([asked]);
        else this.#sharingScan.push(asked);
      } catch (error) {
        if (isSourceError(error) && error.kind === "timeout") {
          this.#sharingScan.push(...this.#unchecked.splice(0));
          break;
        }
        this.#unchecked.shift();
        broke = isUnreachable(error);
        await this.#finish([failed(asked, error, elapsed())]);
      }
    }
    this.#gather();
    return broke;
  }

  /** What is to be read next; null when there is nothing at the moment. */
  take(): Reading<Asked<Rule>> | null {
    return this.#stopped ? null : (this.#readings.shift() ?? null);
  }

  /** Resolves when there is more to be taken than when it was asked. */
  moreToRead(): Promise<void> {
    return this.#more.promise;
  }

  /** Never rejects but for what `report` throws; true when the connection broke. */
  async read(session: Session, reading: Reading<Asked<Rule>>): Promise<boolean> {
    const elapsed = stopwatch();
    const [asked, ...others] = reading;
    if (!asked) return false;
    if (others.length > 0) return this.#readTogether(session, reading);
    const ended = this.#begin(reading);
    const finished = await measureRule(session, this.#speaking(), this.#target, asked).then(
      (verdict) => measured(asked, verdict, elapsed()),
      (error) => failed(asked, error, elapsed()),
    );
    ended();
    await this.#finish([finished]);
    return finished.unreachableBecause !== null;
  }

  /** Ends the work as soon as what is being read is read. The first reason counts. */
  stop = (because: unknown): void => {
    this.#stopped ??= { because };
  };

  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped.because;
  }

  /** For what no connection could be had for, or none that answers. */
  failWhatIsLeft(error: unknown): void {
    const gaveNoAnswer = isSourceError(error) && error.kind === "timeout";
    for (const asked of this.#left()) {
      const finished = failed(asked, error, 0);
      this.#note(gaveNoAnswer ? { ...finished, unreachableBecause: error.message } : finished);
    }
  }

  async #readTogether(session: Session, reading: Reading<Asked<Rule>>): Promise<boolean> {
    const elapsed = stopwatch();
    const ended = this.#begin(reading);
    let verdicts: Verdict[];
    try {
      verdicts = await measureTogether(session, this.#speaking(), this.#target, reading);
    } catch (error) {
      ended();
      this.#readings.unshift(...reading.map((asked) => [asked]));
      this.#more.resolve();
      this.#more = Promise.withResolvers();
      return isUnreachable(error);
    }
    ended();
    const executionTimeMs = Math.round(elapsed() / reading.length);
    await this.#finish(
      verdicts.flatMap((verdict, position) => {
        const asked = reading[position];
        return asked ? measured(asked, verdict, executionTimeMs) : [];
      }),
    );
    return false;
  }

  /** Once all are checked, those that share a scan are one reading among the others. */
  #gather(): void {
    if (this.#unchecked.length > 0) return;
    if (this.#sharingScan.length > 0) this.#readings.push(this.#sharingScan.splice(0));
    this.#readings = longestFirst(this.#readings);
  }

  /** Two connections finish rules, and what is reported never goes back. */
  async #finish(results: readonly Finished<Rule>[]): Promise<void> {
    for (const result of results) this.#note(result);
    const reported = this.#reported.then(() => this.#watch.report(this.#measured.size));
    this.#reported = reported.catch(() => {});
    await reported;
  }

  #note({ asked, ...result }: Finished<Rule>): void {
    this.#measured.set(asked, { rule: asked.rule, ...result });
  }

  #begin(reading: Reading<Asked<Rule>>): () => void {
    return this.#watch.begin?.(reading.map(({ rule }) => rule)) ?? (() => {});
  }

  #left(): Asked<Rule>[] {
    return this.#rules.filter((asked) => !this.#measured.has(asked));
  }

  #speaking(): SqlEngine {
    if (!this.#engine) throw new Error("Nothing is planned yet");
    return this.#engine;
  }
}

function measured<Rule>(asked: Asked<Rule>, verdict: Verdict, executionTimeMs: number): Finished<Rule> {
  return { asked, verdict, executionTimeMs, unreachableBecause: null };
}

function failed<Rule>(asked: Asked<Rule>, error: unknown, executionTimeMs: number): Finished<Rule> {
  const unreachableBecause = isUnreachable(error) ? error.message : null;
  return { asked, verdict: executionFailed(error), executionTimeMs, unreachableBecause };
}

/** Milliseconds since it was made, in whole ones. */
function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => Math.round(performance.now() - startedAt);
}
