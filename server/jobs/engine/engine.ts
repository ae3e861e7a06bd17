import { performance } from "node:perf_hooks";
import type { InngestFunction } from "inngest";
import { db, sql } from "../../db/client.ts";
import { log } from "../../log.ts";
import { wakeUpChannel, wakeWorkers } from "../client.ts";
import { claimRuns } from "./claim.ts";
import { beginCrons, cronsOf, runDueCrons } from "./crons.ts";
import { crowdingOf } from "./crowding.ts";
import { driveRun } from "./drive.ts";
import { fanOut } from "./fan-out.ts";
import { connectSdk } from "./protocol.ts";
import { backoffMs } from "./retry.ts";
import { type ClaimedRun, handBack, hasWork, renewLeases } from "./runs.ts";
import { supportedFunctions } from "./supported.ts";

export type EngineOptions = {
  /** Runs at once in this process, at most; a fifth of them is for those that share no limit with others. */
  concurrency?: number;
  /** How long a worker that gives no sign of life keeps its runs. */
  leaseMs?: number;
  /** How often to look although nobody called, should a notification have been lost. */
  pollMs?: number;
  /** How long `stop` waits for runs to reach the end of a step. */
  drainMs?: number;
  /** The delay before the next try, after so many that failed. */
  backoffMs?: (failedTries: number) => number;
};

export type Engine = {
  /** Takes no more runs, waits for those under way, and hands back what is not finished by then. */
  stop(): Promise<void>;
  /** Resolves when every event has been fanned out and every run has ended, retries included. */
  idle(): Promise<void>;
  /** When it last looked for work and could, in milliseconds since 1970. */
  lastLook(): number;
};

/** How often it is looked at whether there are too many runs. */
const lookoutMs = 100;

/**
 * The embedded engine: drives Inngest functions in this process, on PostgreSQL.
 *
 * Everything that matters is in the database, so any number of processes may run an engine on one database,
 * and one that dies loses nothing: its runs are taken over, from the step after the last that was kept, when
 * their leases end. Times are the database's.
 *
 * Throws UnsupportedJobs when a function asks for what this engine cannot do.
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
  let lastLook = Date.now();
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
      .catch((err) => log.error({ err, job: run.functionId, run: run.id }, "A job's end could not be stored"))
      .finally(() => {
        // The same run may be back already, taken over after its lease was lost.
        if (active.get(run.id) === work) active.delete(run.id);
        wake();
        // Whoever else waits for the place that it leaves: this process takes nothing more.
        if (isStopping && run.isKeyed) return wakeWorkers(db).catch(() => {});
      });
  }

  /** For how long each of those that wait for data sources has been under way. */
  const agesOfKeyed = () =>
    [...active.values()].flatMap(({ run, begunAt }) => (run.isKeyed ? performance.now() - begunAt : []));

  let isAsking = false;
  let lastLoop = performance.eventLoopUtilization();
  /** How long somebody who asks something waits at present. */
  async function lookAround(): Promise<void> {
    const crowd = crowding.crowdOf(agesOfKeyed());
    if (isAsking || crowd === 0) return;
    isAsking = true;
    const askedAt = performance.now();
    try {
      await sql`select 1`;
      const before = crowding.limit();
      const loop = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(loop, lastLoop);
      lastLoop = loop;
      crowding.observe(performance.now() - askedAt, crowd, utilization);
      if (crowding.limit() > before) wake();
    } catch {
      // Without its database the engine has other worries, and says so elsewhere.
    } finally {
      isAsking = false;
    }
  }

  /** Whether there may be events, or crons that are due: not after every run that has ended. */
  let mayBeNew = true;
  let newAt = 0;
  const told = () => {
    mayBeNew = true;
    wake();
  };

  /** Makes runs of events and crons. Returns the milliseconds until it must look for such again. */
  async function lookForNew(): Promise<number> {
    const now = performance.now();
    if (!mayBeNew && now < newAt) return newAt - now;
    // Who tells of something from here on is heard the next time.
    mayBeNew = false;
    newAt = 0;
    const untilCron = (await runDueCrons(crons)) ?? pollMs;
    await fanOut(known, concurrency - active.size);
    const untilNew = Math.min(untilCron, pollMs);
    newAt = performance.now() + untilNew;
    return untilNew;
  }

  /** One look at everything that is due. Returns the milliseconds until the next must be. */
  async function pass(): Promise<number> {
    const untilNew = await lookForNew();
    const free = concurrency - active.size;
    if (free <= 0) return untilNew;
    const room = { all: free, keyed: crowding.room(agesOfKeyed()) };
    const { runs, nextDueMs } = await claimRuns(known, room, leaseMs);
    for (const run of runs) begin(run);
    return Math.min(untilNew, nextDueMs ?? pollMs);
  }

  async function look(): Promise<number> {
    const delayMs = await pass();
    lastLook = Date.now();
    return delayMs;
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      called = Promise.withResolvers();
      const delayMs = await look().catch((err) => {
        log.error({ err }, "The jobs engine could not look for work");
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
  const heartbeat = setInterval(renew, leaseMs / 3);
  const lookout = setInterval(lookAround, lookoutMs);
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
    clearInterval(lookout);
    await Promise.all([...active.values()].map(({ run }) => handBack(run)));
    await unlisten();
  }

  let stopped: Promise<void> | undefined;
  return {
    stop: () => (stopped ??= stop()),
    lastLook: () => lastLook,
    async idle() {
      told();
      do await passed.promise;
      while (!isStopping && (await hasWork(functionIds)));
    },
  };
}
