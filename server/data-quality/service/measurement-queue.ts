import { performance } from "node:perf_hooks";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { compileRule, type MeasurableRule, type Target } from "../compile.ts";
import { limits } from "../limits.ts";
import { executionFailed, isUnreachable, measureRule, measureTogether } from "../measure-rule.ts";
import type { Verdict } from "../rules/verdict.ts";
import { type Expected, longestFirst, type Scan, sharedScanOf } from "../scan-order.ts";
import { forgetCheck, rememberedCheck } from "./remembered-checks.ts";

export type MeasuredRule<Rule> = {
  rule: Rule;
  verdict: Verdict;
  /**
   * From statement to result. Rules that shared a scan each get an equal part: what each of them took cannot be told,
   * and so the sum is the time spent.
   */
  executionTimeMs: number;
  /** Why the data source was unreachable, if that is why the rule failed. */
  unreachableBecause: string | null;
};

/** A rule in this measurement; identity matters, since a rule may occur twice. */
type Asked<Rule> = MeasurableRule & Expected & { rule: Rule };

/** Receives progress. */
export type Watch<Rule> = {
  /** Called with the number of rules done, and awaited. If it throws LeaseLost, the work stops. */
  report(rulesDone: number): Promise<void>;
  /** Called with the rules whose measurement begins; the function it returns is called when that has ended. */
  begin?(rules: readonly Rule[]): () => void;
};

type Finished<Rule> = Omit<MeasuredRule<Rule>, "rule"> & { asked: Asked<Rule> };

/** The state of a measurement: what is pending, what is done, and the transitions. */
export class MeasurementQueue<Rule extends MeasurableRule & Expected> {
  readonly #rules: readonly Asked<Rule>[];
  #target: Target;
  /** Without one, the server is asked about each rule each time. */
  readonly #dataSourceId: number | undefined;
  readonly #watch: Watch<Rule>;
  readonly #sharing: boolean;
  readonly #measured = new Map<Asked<Rule>, MeasuredRule<Rule>>();
  #dialect: Dialect | null = null;
  /** Candidates for shared scans, pending the server's check. */
  #unchecked: Asked<Rule>[] = [];
  #sharingScan: Asked<Rule>[] = [];
  /** Of those that can share a scan: rules with the same text share one. */
  readonly #scanOf = new Map<Asked<Rule>, string>();
  #scans: Scan<Asked<Rule>>[] = [];
  #reported: Promise<void> = Promise.resolve();
  #more = Promise.withResolvers<void>();
  #stopped: { because: unknown } | null = null;

  constructor(
    rules: readonly Rule[],
    { dataSourceId, ...target }: Target & { dataSourceId?: number },
    watch: Watch<Rule>,
    sharing: boolean,
  ) {
    this.#dataSourceId = dataSourceId;
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
    return this.#scans.length > 0;
  }

  /** The results in the order of the rules. */
  results(): MeasuredRule<Rule>[] {
    return this.#rules.flatMap((asked) => this.#measured.get(asked) ?? []);
  }

  /** Chooses the rules for shared scans, and fails those that do not compile. Only the first call has an effect. */
  plan(dialect: Dialect): void {
    if (this.#dialect) return;
    this.#dialect = dialect;
    const sharing: Asked<Rule>[] = [];
    for (const asked of this.#rules) {
      try {
        const { sharesScan } = compileRule(asked, this.#target, dialect);
        if (sharesScan === null || !this.#sharing) continue;
        this.#scanOf.set(asked, sharesScan);
        sharing.push(asked);
      } catch (error) {
        this.#note(failed(asked, error, 0));
      }
    }
    for (const together of Map.groupBy(sharing, (asked) => this.#scanOf.get(asked)).values()) {
      const shared = sharedScanOf(together);
      if (shared.length > 1) this.#unchecked.push(...shared);
    }
    this.#scans = this.#left()
      .filter((asked) => !this.#unchecked.includes(asked))
      .map((asked) => [asked]);
    this.#gather();
  }

  /**
   * Has the server plan each rule of the shared scan; returns true if the connection broke. A rule that the server
   * rejects has failed, and one answered by an index runs individually: it needs no scan.
   */
  async check(session: Session): Promise<boolean> {
    if (!session.check) this.#sharingScan.push(...this.#unchecked.splice(0));
    let broke = false;
    for (let asked = this.#unchecked[0]; asked && !broke; asked = this.#unchecked[0]) {
      const elapsed = stopwatch();
      try {
        const found = await this.#byTypes(asked, () => {
          const { statement } = compileRule(asked, this.#target, this.#speaking());
          const timeoutMs = Math.min(limits.checkTimeoutMs, limits.ruleTimeoutMs);
          const ask = session.check?.bind(session, statement, { timeoutMs });
          if (!ask || this.#dataSourceId === undefined) return ask?.() ?? Promise.resolve(undefined);
          return rememberedCheck(this.#dataSourceId, statement, ask);
        });
        this.#unchecked.shift();
        if (found?.scans === false) this.#scans.push([asked]);
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

  /** The next unit of work, or null if there is none at the moment. */
  take(): Scan<Asked<Rule>> | null {
    return this.#stopped ? null : (this.#scans.shift() ?? null);
  }

  /** Resolves when more work becomes available. */
  moreToRead(): Promise<void> {
    return this.#more.promise;
  }

  /** Only rejects with errors from `report`; returns true if the connection broke. */
  async read(session: Session, scan: Scan<Asked<Rule>>): Promise<boolean> {
    const elapsed = stopwatch();
    const [asked, ...others] = scan;
    if (!asked) return false;
    if (others.length > 0) return this.#readTogether(session, scan);
    const ended = this.#begin(scan);
    const finished = await this.#byTypes(asked, () =>
      measureRule(session, this.#speaking(), this.#target, asked),
    ).then(
      (verdict) => measured(asked, verdict, elapsed()),
      (error) => failed(asked, error, elapsed()),
    );
    ended();
    await this.#finish([finished]);
    return finished.unreachableBecause !== null;
  }

  /** Stops once the work in progress is done. The first reason counts. */
  stop = (because: unknown): void => {
    this.#stopped ??= { because };
  };

  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped.because;
  }

  /** Fails the remaining rules if no connection can be opened, or none that responds. */
  failWhatIsLeft(error: unknown): void {
    const gaveNoAnswer = isSourceError(error) && error.kind === "timeout";
    for (const asked of this.#left()) {
      const finished = failed(asked, error, 0);
      this.#note(gaveNoAnswer ? { ...finished, unreachableBecause: error.message } : finished);
    }
  }

  async #readTogether(session: Session, scan: Scan<Asked<Rule>>): Promise<boolean> {
    const elapsed = stopwatch();
    const ended = this.#begin(scan);
    let verdicts: Verdict[];
    try {
      verdicts = await measureTogether(session, this.#speaking(), this.#target, scan);
    } catch (error) {
      ended();
      for (const asked of scan) this.#forgetCheckOf(asked);
      this.#forgetTypes();
      this.#scans.unshift(...scan.map((asked) => [asked]));
      this.#more.resolve();
      this.#more = Promise.withResolvers();
      return isUnreachable(error);
    }
    ended();
    const executionTimeMs = Math.round(elapsed() / scan.length);
    await this.#finish(
      verdicts.flatMap((verdict, position) => {
        const asked = scan[position];
        return asked ? measured(asked, verdict, executionTimeMs) : [];
      }),
    );
    return false;
  }

  #forgetCheckOf(asked: Asked<Rule>): void {
    if (this.#dataSourceId === undefined) return;
    forgetCheck(this.#dataSourceId, compileRule(asked, this.#target, this.#speaking()).statement);
  }

  /** A column whose type has changed since may not compile anymore: then types are taken as unknown. */
  async #byTypes<Result>(asked: Asked<Rule>, ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (!isSourceError(error) || error.kind !== "statement" || !this.#dependsOnTypes(asked)) throw error;
      this.#forgetTypes();
      return ask();
    }
  }

  #dependsOnTypes(asked: Asked<Rule>): boolean {
    if (this.#target.columnTypes === undefined) return false;
    const textFor = (target: Target) => compileRule(asked, target, this.#speaking()).statement.sql;
    return textFor(this.#target) !== textFor({ ...this.#target, columnTypes: undefined });
  }

  #forgetTypes(): void {
    this.#target = { ...this.#target, columnTypes: undefined };
  }

  /** Once all are checked, the rules that share a scan become one unit of work. */
  #gather(): void {
    if (this.#unchecked.length > 0) return;
    const sharing = this.#sharingScan.splice(0);
    this.#scans.push(...Map.groupBy(sharing, (asked) => this.#scanOf.get(asked)).values());
    this.#scans = longestFirst(this.#scans);
  }

  /** Two connections finish rules concurrently, and reported numbers never decrease. */
  async #finish(results: readonly Finished<Rule>[]): Promise<void> {
    for (const result of results) this.#note(result);
    const reported = this.#reported.then(() => this.#watch.report(this.#measured.size));
    this.#reported = reported.catch(() => {});
    await reported;
  }

  #note({ asked, ...result }: Finished<Rule>): void {
    this.#measured.set(asked, { rule: asked.rule, ...result });
  }

  #begin(scan: Scan<Asked<Rule>>): () => void {
    return this.#watch.begin?.(scan.map(({ rule }) => rule)) ?? (() => {});
  }

  #left(): Asked<Rule>[] {
    return this.#rules.filter((asked) => !this.#measured.has(asked));
  }

  #speaking(): Dialect {
    if (!this.#dialect) throw new Error("Nothing is planned yet");
    return this.#dialect;
  }
}

function measured<Rule>(asked: Asked<Rule>, verdict: Verdict, executionTimeMs: number): Finished<Rule> {
  return { asked, verdict, executionTimeMs, unreachableBecause: null };
}

function failed<Rule>(asked: Asked<Rule>, error: unknown, executionTimeMs: number): Finished<Rule> {
  const unreachableBecause = isUnreachable(error) ? error.message : null;
  return { asked, verdict: executionFailed(error), executionTimeMs, unreachableBecause };
}

/** Whole milliseconds since it was created. */
function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => Math.round(performance.now() - startedAt);
}
