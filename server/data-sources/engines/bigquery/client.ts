import { performance } from "node:perf_hooks";
import type { Cost } from "../../cost.ts";
import {
  type BigQueryConnectionWithKey,
  isSourceError,
  type Limits,
  type ResultSet,
  SourceError,
  type Statement,
} from "../engine.ts";
import { type Api, apiOf, Failed } from "./api.ts";
import { type BillLimit, exceedsLimit, isStop, tooExpensive } from "./failures.ts";
import { aJob, billedBy, cancelJob, type DryRun, dryRun, type Job, requireSelect, startJob } from "./job.ts";
import { readPages } from "./result-pages.ts";

/** The API takes more, but no statement of ours needs them. */
const maxParameters = 1000;
/** How much longer than its time a statement may take until it is canceled from here: the server ends it by itself. */
const graceMs = 2_000;

export type Client = {
  api: Api;
  /** Runs one statement, in a location if it is known. Throws SourceError, or the reason of an aborted signal. */
  read(statement: Statement, limits: Limits, location?: string): Promise<ResultSet>;
  /** What a statement would read, without running it. Throws like `read`. */
  plan(statement: Statement, limits: Pick<Limits, "timeoutMs">): Promise<DryRun>;
  /** Ends running statements. */
  close(): Promise<void>;
};

type ReportCost = ((cost: Cost) => Promise<void>) | undefined;

/** Throws SourceError if the key cannot be used. */
export function connect(connection: BigQueryConnectionWithKey, reportCost?: ReportCost): Client {
  const api = apiOf(connection);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  /** What goes on after a statement was given up: its job is canceled, and what it billed is found out. */
  const ending = new Set<Promise<void>>();

  const report = async (job: Job) => {
    const amount = reportCost ? await billedBy(api, connection, job) : null;
    if (amount !== null) await reportCost?.({ unit: "bytes", amount });
  };
  const giveUp = (job: Job) => {
    const ended = cancelJob(api, connection, job)
      .then(() => report(job))
      .finally(() => ending.delete(ended));
    ending.add(ended);
  };

  const judged = async (statement: Statement, stop: AbortSignal, location = connection.location) => {
    if (statement.parameters.length > maxParameters)
      throw new SourceError("refused", "The statement has too many parameters");
    const plan = await dryRun(api, { ...connection, location }, statement, stop);
    requireSelect(plan);
    return plan;
  };

  const run = async (statement: Statement, limits: Limits, place: string | undefined, stop: AbortSignal) => {
    const { bytes, isUpperBound, location } = await judged(statement, stop, place);
    const limit = billLimit(connection.maxBytesBilled, limits.maxCost);
    // The server refuses it as well, but does not say how much it would be.
    if (!isUpperBound && bytes > limit.bytes) throw tooExpensive(limit, bytes);
    stop.throwIfAborted();
    const job = aJob(location);
    const begin = { timeoutMs: limits.timeoutMs, maxBytesBilled: limit.bytes, signal: stop };
    try {
      await startJob(api, connection, job, statement, begin);
      const asked = statement.answersOneRow ? { ...limits, countAll: false } : limits;
      const result = await readPages(api, connection, job, asked, stop);
      await report(job);
      return result;
    } catch (error) {
      // It may have been started although nothing was heard of it.
      if (stop.aborted || !(error instanceof Failed)) giveUp(job);
      else await report(job);
      throw error instanceof Failed && exceedsLimit(error.error) ? tooExpensive(limit, null) : error;
    }
  };

  /** Within its time, and until the source closes. */
  const within = async <T>(
    limits: Pick<Limits, "timeoutMs" | "signal">,
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    limits.signal?.throwIfAborted();
    closing.signal.throwIfAborted();
    const startedAt = performance.now();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(timedOut(limits)), limits.timeoutMs + graceMs);
    const stop = AbortSignal.any([late.signal, closing.signal, ...(limits.signal ? [limits.signal] : [])]);
    try {
      return await work(stop);
    } catch (error) {
      stop.throwIfAborted();
      const isOverdue = performance.now() - startedAt >= limits.timeoutMs;
      if (error instanceof Failed) throw isStop(error.error) && isOverdue ? timedOut(limits) : error.failure;
      throw isSourceError(error)
        ? error
        : new SourceError("unreachable", "The answer is too large to be read");
    } finally {
      clearTimeout(timer);
    }
  };

  const tracked: typeof within = (limits, work) => {
    const whole = within(limits, work);
    running.add(whole);
    return whole.finally(() => running.delete(whole));
  };

  return {
    api,
    plan: (statement, limits) => tracked(limits, (stop) => judged(statement, stop)),
    read: (statement, limits, location) => tracked(limits, (stop) => run(statement, limits, location, stop)),
    async close() {
      closing.abort(new SourceError("unreachable", "The data source was closed or changed"));
      await Promise.allSettled(running);
      await Promise.all(ending);
    },
  };
}

/** A budget that is nearly spent can be what limits a statement. */
function billLimit(maxBytesBilled: number, maxCost = Number.POSITIVE_INFINITY): BillLimit {
  return maxCost < maxBytesBilled
    ? { bytes: Math.floor(maxCost), by: "budget" }
    : { bytes: maxBytesBilled, by: "data source" };
}

const timedOut = ({ timeoutMs }: Pick<Limits, "timeoutMs">) =>
  new SourceError("timeout", `The statement took longer than ${timeoutMs / 1000} s and was cancelled`);
