import { askDatabase, type DatabaseState, forgetConnection } from "./db/answers.ts";

/** Why no more requests should be sent here for now. */
export type Hindrance = "stopping" | "database" | "migrations";

/**
 * How the background work of this process stands: `stuck` when its engine has not looked for work for a minute
 * (`jobs` in the answers of /ready). Requests are served all the same, so it is no hindrance.
 */
export type JobsState = "running" | "stuck" | "inngest";

export type Readiness = { hindrance: Hindrance | null; jobs: JobsState };

export type Watch = {
  /** Whether requests can be served; asked of the database at most once a second, however often somebody asks. */
  readiness(): Promise<Readiness>;
  /** From now on the answer is `stopping`. */
  stopping(): void;
  /** Ends its connection to the database. */
  close(): Promise<void>;
};

const keptMs = 1_000;
const stuckAfterMs = 60_000;

const hindranceOf: Record<DatabaseState, Hindrance | null> = {
  ready: null,
  away: "database",
  behind: "migrations",
};

/** `lastLook`: when the jobs' engine last looked for work, in milliseconds since 1970; null without an engine. */
export function watchReadiness(lastLook: () => number | null): Watch {
  let isStopping = false;
  let kept: { until: number; state: Promise<DatabaseState> } | undefined;

  function databaseState(): Promise<DatabaseState> {
    if (!kept || kept.until <= Date.now()) {
      const state = askDatabase();
      const asking = { until: Number.POSITIVE_INFINITY, state };
      kept = asking;
      // Whoever asks while an answer is on its way waits for that one.
      void state.finally(() => {
        asking.until = Date.now() + keptMs;
      });
    }
    return kept.state;
  }

  function jobs(): JobsState {
    const looked = lastLook();
    if (looked === null) return "inngest";
    return Date.now() - looked > stuckAfterMs ? "stuck" : "running";
  }

  return {
    async readiness() {
      const hindrance = isStopping ? "stopping" : hindranceOf[await databaseState()];
      return { hindrance, jobs: jobs() };
    },
    stopping() {
      isStopping = true;
    },
    close: forgetConnection,
  };
}
