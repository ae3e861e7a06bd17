import { askDatabase, type DatabaseState, forgetConnection } from "../db/answers.ts";

/** Why the process should receive no more requests for now. */
export type UnreadyReason = "stopping" | "database" | "migrations";

/**
 * The state of background jobs: `stuck` if the engine has not polled for a minute (`jobs` in the response of /ready).
 * Requests are still served, so this does not affect readiness.
 */
export type JobsState = "running" | "stuck" | "inngest";

export type Readiness = { hindrance: UnreadyReason | null; jobs: JobsState };

export type Watch = {
  /** Whether requests can be served. Checks the database at most once a second. */
  readiness(): Promise<Readiness>;
  /** Reports `stopping` from now on. */
  stopping(): void;
  /** Closes its database connection. */
  close(): Promise<void>;
};

const keptMs = 1_000;
const stuckAfterMs = 60_000;

const unreadyReasonOf: Record<DatabaseState, UnreadyReason | null> = {
  ready: null,
  away: "database",
  behind: "migrations",
};

/** `lastPoll`: when the job engine last polled, in ms since 1970; null without an engine. */
export function watchReadiness(lastPoll: () => number | null): Watch {
  let isStopping = false;
  let kept: { until: number; state: Promise<DatabaseState> } | undefined;

  function databaseState(): Promise<DatabaseState> {
    if (!kept || kept.until <= Date.now()) {
      const state = askDatabase();
      const asking = { until: Number.POSITIVE_INFINITY, state };
      kept = asking;
      // Concurrent callers share one check.
      void state.finally(() => {
        asking.until = Date.now() + keptMs;
      });
    }
    return kept.state;
  }

  function jobs(): JobsState {
    const looked = lastPoll();
    if (looked === null) return "inngest";
    return Date.now() - looked > stuckAfterMs ? "stuck" : "running";
  }

  return {
    async readiness() {
      const hindrance = isStopping ? "stopping" : unreadyReasonOf[await databaseState()];
      return { hindrance, jobs: jobs() };
    },
    stopping() {
      isStopping = true;
    },
    close: forgetConnection,
  };
}
