import { performance } from "node:perf_hooks";
import type { InngestFunction } from "inngest";
import { db, sql } from "../../db/client.ts";
import { areOthersAnswering, hearOthers } from "../../requests-elsewhere.ts";
import { afterRequests, wereRequestsLately } from "../../requests-first.ts";
import { log } from "../../telemetry/log.ts";
import { wakeUpChannel, wakeWorkers } from "../client.ts";
import { claimRuns, crowdedMs } from "./claim.ts";
import { beginCrons, cronsOf, runDueCrons } from "./crons.ts";
import { crowdingOf, type Requests } from "./crowding.ts";
import { driveRun } from "./drive.ts";
import { fanOut } from "./fan-out.ts";
import { connectSdk } from "./protocol.ts";
import { backoffMs } from "./retry.ts";
import { type ClaimedRun, hasWork, releaseRun, renewLeases } from "./runs.ts";
import { supportedFunctions } from "./supported.ts";

export type EngineOptions = {
  /** The maximum number of concurrent runs in this process; a fifth is reserved for runs without a limit. */
  concurrency?: number;
  /** How long a worker keeps its runs without a heartbeat. */
  leaseMs?: number;
  /** The poll interval without notifications, in case one was lost. */
  pollMs?: number;
  /** How long `stop` waits for runs to reach the end of a step. */
  drainMs?: number;
  /** The delay before the next try, after the given number of failures. */
  backoffMs?: (failedTries: number) => number;
};

export type Engine = {
  /** Takes no more runs, waits for those in progress, and releases unfinished ones. */
  stop(): Promise<void>;
  /** Resolves when every event has been fanned out and every run has ended, retries included. */
  idle(): Promise<void>;
  /** When it last polled successfully, in milliseconds since 1970. */
  lastPoll(): number;
};

/** How often it is measured whether this process is busy. */
const loadCheckMs = 100;

/**
 * The embedded engine: executes Inngest functions in this process, on PostgreSQL.
 *
 * All state is in the database, so any number of processes can run an engine on one database, and a process that dies
 * loses nothing: when its leases end, its runs are taken over, from the step after the last one stored. Times are the
 * database's.
 *
 * Throws UnsupportedJobs if a function uses an unsupported feature.
 */
export async function startEngine(
  functions: readonly InngestFunction.Like[],
  options: EngineOptions = {},
): Promise<Engine> {
  const { concurrency = 10, leaseMs = 30_000, pollMs = 5_000, drainMs = 10_000 } = options;
  const sdk = connectSdk(functions);
  const known = supportedFunctions(await sdk.describe(), functions);
  const functionIds = known.map((fn) => fn.id);
  const crowding = crowdingOf(Math.ceil(concurrency * 0.8));
  const maxAttempts = new Map(known.map((fn) => [fn.id, fn.maxAttempts]));
  const crons = cronsOf(known);
  await beginCrons(crons);

  const active = new Map<
    number,
    { run: ClaimedRun; begunAt: number; done: Promise<void>; isLost: boolean }
  >();
  let isStopping = false;
  let lastPoll = Date.now();
  let called = Promise.withResolvers<void>();
  let passed = Promise.withResolvers<void>();
  const wake = () => called.resolve();

  function begin(run: ClaimedRun): void {
    const work = { run, begunAt: performance.now(), isLost: false, done: Promise.resolve() };
    active.set(run.id, work);
    work.done = driveRun(run, {
      sdk,
      maxAttempts: maxAttempts.get(run.functionId) ?? 1,
      backoffMs: options.backoffMs ?? backoffMs,
      shouldLetGo: () => isStopping || work.isLost,
    })
      .catch((err) =>
        log.error({ err, job: run.functionId, run: run.id }, "A job's outcome could not be stored"),
      )
      .finally(() => {
        // The same run may already be back, taken over after its lease was lost.
        if (active.get(run.id) === work) active.delete(run.id);
        wake();
        // Notifies processes that wait for its place: this one takes no more.
        if (isStopping && run.isKeyed) return wakeWorkers(db).catch(() => {});
      });
  }

  /** How long each of the runs that wait for data sources has been in progress. */
  const agesOfKeyed = () =>
    [...active.values()].flatMap(({ run, begunAt }) => (run.isKeyed ? performance.now() - begunAt : []));

  /** The share of time that this process was busy in the last full tenth of a second. */
  let busy = 0;
  let lastLoop = performance.eventLoopUtilization();
  const measureLoad = () => {
    const loop = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(loop, lastLoop).utilization;
    lastLoop = loop;
  };

  const requestsLately = (): Requests =>
    areOthersAnswering() ? "elsewhere" : wereRequestsLately() ? "here" : "nowhere";

  /** Whether there may be new events or due crons, so that they are not checked for after every run that ends. */
  let mayBeNew = true;
  let newAt = 0;
  const told = () => {
    mayBeNew = true;
    wake();
  };

  /** Creates the runs of events and crons, if there may be new ones. Returns the milliseconds until the next check. */
  async function lookForNew(): Promise<{ isAnew: boolean; msUntilNew: number }> {
    const now = performance.now();
    if (!mayBeNew && now < newAt) return { isAnew: false, msUntilNew: newAt - now };
    // Reset first: a notification that arrives from here on triggers another check.
    mayBeNew = false;
    newAt = 0;
    const untilCron = (await runDueCrons(crons)) ?? pollMs;
    await fanOut(known, concurrency - active.size);
    const msUntilNew = Math.min(untilCron, pollMs);
    newAt = performance.now() + msUntilNew;
    return { isAnew: true, msUntilNew };
  }

  /** While there is no room for runs with a limit: when to look for others again that have become due. */
  let othersAt = 0;

  /** Polls for everything that is due. Returns the milliseconds until the next poll. */
  async function pass(): Promise<number> {
    const { isAnew, msUntilNew } = await lookForNew();
    const free = concurrency - active.size;
    if (free <= 0) return msUntilNew;
    const room = { all: free, keyed: crowding.room(agesOfKeyed(), busy, requestsLately()) };
    const untilOthers = othersAt - performance.now();
    // Most often a run has ended that made no room: a claim would find nothing, and burdens the database.
    if (room.keyed === 0 && !isAnew && untilOthers > 0)
      return Math.min(msUntilNew, untilOthers, crowding.restMs() || pollMs);
    await afterRequests();
    const { runs, nextDueMs } = await claimRuns(known, room, leaseMs);
    othersAt = runs.length === free ? 0 : performance.now() + Math.min(nextDueMs ?? crowdedMs, crowdedMs);
    crowding.began(runs.filter((run) => run.isKeyed).length);
    for (const run of runs) begin(run);
    return Math.min(msUntilNew, nextDueMs ?? pollMs, crowding.restMs() || pollMs);
  }

  async function look(): Promise<number> {
    const delayMs = await pass();
    lastPoll = Date.now();
    return delayMs;
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      called = Promise.withResolvers();
      const delayMs = await look().catch((err) => {
        log.error({ err }, "The jobs engine could not poll for work");
        return pollMs;
      });
      passed.resolve();
      passed = Promise.withResolvers();
      const timer = setTimeout(wake, Math.max(delayMs, 10));
      await called.promise;
      clearTimeout(timer);
    }
  }

  async function renew(): Promise<void> {
    const works = [...active.values()];
    try {
      const kept = await renewLeases(
        works.map((work) => work.run),
        leaseMs,
      );
      for (const work of works) work.isLost ||= !kept.has(work.run.id);
    } catch (err) {
      log.error({ err }, "The jobs engine could not renew its leases");
    }
  }

  const { unlisten } = await sql.listen(wakeUpChannel, told, told);
  const stopHearing = await hearOthers();
  const heartbeat = setInterval(renew, leaseMs / 3);
  const loadTimer = setInterval(measureLoad, loadCheckMs);
  const looping = loop();
  log.debug({ functions: functionIds }, "The jobs engine has started");

  async function stop(): Promise<void> {
    isStopping = true;
    wake();
    await looping;
    passed.resolve();
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, drainMs);
    await Promise.race([Promise.all([...active.values()].map((work) => work.done)), patience.promise]);
    clearTimeout(timer);
    clearInterval(heartbeat);
    clearInterval(loadTimer);
    await Promise.all([...active.values()].map(({ run }) => releaseRun(run)));
    await Promise.all([unlisten(), stopHearing()]);
  }

  let stopped: Promise<void> | undefined;
  return {
    stop: () => (stopped ??= stop()),
    lastPoll: () => lastPoll,
    async idle() {
      told();
      do await passed.promise;
      while (!isStopping && (await hasWork(functionIds)));
    },
  };
}
