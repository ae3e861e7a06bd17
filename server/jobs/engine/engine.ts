import { performance } from "node:perf_hooks";
import type { InngestFunction } from "inngest";
import { db, sql } from "../../db/client.ts";
import { areOthersAnswering, hearOthers } from "../../requests-elsewhere.ts";
import { afterRequests, wereRequestsLately } from "../../requests-first.ts";
import { log } from "../../telemetry/log.ts";
import { isForThisProcess, setWorking, wakeUpChannel, wakeWorkers } from "../client.ts";
import { claimRuns, crowdedMs } from "./claim.ts";
import { beginCrons, cronsOf, runDueCrons } from "./crons.ts";
import { crowdingOf, type Requests } from "./crowding.ts";
import { driveRun } from "./drive.ts";
import { fanOut } from "./fan-out.ts";
import { connectSdk } from "./protocol.ts";
import { backoffMs } from "./retry.ts";
import { type ClaimedRun, hasWork, isAnythingDue, releaseRun, renewLeases } from "./runs.ts";
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

/** For how long, and up to twice that, what another process has made is left to that process. */
const leftToOthersMs = 200;

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
        hasEnded = true;
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

  /** Whether there may be new events, so that they are not checked for after every run that ends. */
  let mayBeNew = true;
  /** When to ask again whether there is anything, in case nobody says so. */
  let askAt = 0;
  /** When the next cron is due, by this process's clock and by the database's. */
  let cronsAt = 0;
  let cronsAtOfDatabase = 0;
  /** Whether a run has ended since the last claim, and when the next one is due: only then does another claim find some. */
  let hasEnded = true;
  let dueAt = 0;
  const told = () => {
    mayBeNew = true;
    wake();
  };

  /** What another process has made, it looks for itself; what it leaves is looked for here a little later. */
  let leftToOthers: NodeJS.Timeout | undefined;
  const toldAll = (payload: string) => {
    if (isForThisProcess(payload)) return told();
    leftToOthers ??= setTimeout(
      () => {
        leftToOthers = undefined;
        askAt = 0;
        wake();
      },
      leftToOthersMs * (1 + Math.random()),
    );
  };

  async function createCrons(): Promise<void> {
    const next = await runDueCrons(crons);
    cronsAt = performance.now() + (next?.inMs ?? pollMs);
    cronsAtOfDatabase = next?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Whether others may have left something, or the database's clock was set forward. */
  async function isSomethingNew(): Promise<boolean> {
    const { isDue, now } = await isAnythingDue(functionIds);
    if (now < cronsAtOfDatabase) return isDue;
    await createCrons();
    return true;
  }

  /** Creates the runs of events and crons, if there may be new ones. Returns the milliseconds until the next check. */
  async function lookForNew(): Promise<{ isAnew: boolean; msUntilNew: number }> {
    const now = performance.now();
    const areCronsDue = now >= cronsAt;
    if (!mayBeNew && !areCronsDue && now < askAt)
      return { isAnew: false, msUntilNew: Math.min(askAt, cronsAt) - now };
    const isTold = mayBeNew;
    // Reset first: a notification that arrives from here on triggers another check.
    mayBeNew = false;
    askAt = 0;
    if (areCronsDue) await createCrons();
    const isAnew = isTold || areCronsDue || (await isSomethingNew());
    if (isAnew) await fanOut(known, concurrency - active.size);
    askAt = performance.now() + pollMs;
    return { isAnew, msUntilNew: Math.min(askAt, cronsAt) - performance.now() };
  }

  /** While there is no room for runs with a limit: when to look for others again that have become due. */
  let othersAt = 0;

  /** Polls for everything that is due. Returns the milliseconds until the next poll. */
  async function pass(): Promise<number> {
    const { isAnew, msUntilNew } = await lookForNew();
    const free = concurrency - active.size;
    if (free <= 0) return msUntilNew;
    const untilDue = dueAt - performance.now();
    if (!isAnew && !hasEnded && untilDue > 0) return Math.min(msUntilNew, untilDue);
    const room = { all: free, keyed: crowding.room(agesOfKeyed(), busy, requestsLately()) };
    const untilOthers = othersAt - performance.now();
    // Most often a run has ended that made no room: a claim would find nothing, and burdens the database.
    if (room.keyed === 0 && !isAnew && untilOthers > 0)
      return Math.min(msUntilNew, untilOthers, crowding.restMs() || pollMs);
    await afterRequests();
    hasEnded = false;
    const { runs, nextDueMs } = await claimRuns(known, room, leaseMs);
    othersAt = runs.length === free ? 0 : performance.now() + Math.min(nextDueMs ?? crowdedMs, crowdedMs);
    crowding.began(runs.filter((run) => run.isKeyed).length);
    for (const run of runs) begin(run);
    const untilNext = Math.min(nextDueMs ?? pollMs, crowding.restMs() || pollMs);
    dueAt = performance.now() + untilNext;
    return Math.min(msUntilNew, untilNext);
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

  const { unlisten } = await sql.listen(wakeUpChannel, toldAll, told);
  setWorking(true);
  const stopHearing = await hearOthers();
  const heartbeat = setInterval(renew, leaseMs / 3);
  const loadTimer = setInterval(measureLoad, loadCheckMs);
  const looping = loop();
  log.debug({ functions: functionIds }, "The jobs engine has started");

  async function stop(): Promise<void> {
    isStopping = true;
    setWorking(false);
    clearTimeout(leftToOthers);
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
