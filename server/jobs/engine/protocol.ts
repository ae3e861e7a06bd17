import { setImmediate as nextTick } from "node:timers/promises";
import type { InngestFunction } from "inngest";
import { serve } from "inngest/edge";
import type { InngestExecution } from "inngest/internals";
import { z } from "zod";
import { appId, inngest } from "../client.ts";

/**
 * Calls functions the way Inngest would, in this process: describes them through the SDK's own `serve()` handler, and runs
 * them on the SDK's own execution engine. No port is opened, and nothing is signed, because nothing leaves the process.
 *
 * Runs do not go through `serve()`, which takes a request for every step: a request, its checks, and its response cost
 * fifteen times as much as the step. They use what the SDK calls checkpointing: one execution goes from step to step, and
 * hands over the result of each before the next one begins. That part of the SDK is internal, so its version is pinned,
 * and the engine's contract (contract/) checks what is relied on.
 */

/** The SDK reads paths and function ids from it; it is never resolved. */
const address = "http://embedded.invalid/svc/api/inngest";
const headers = { host: "embedded.invalid", "content-type": "application/json" };

/** The SDK's description of a function, before checking what is supported. */
const configuration = z.looseObject({
  id: z.string(),
  triggers: z.array(
    z.looseObject({
      event: z.string().optional(),
      expression: z.string().optional(),
      cron: z.string().optional(),
    }),
  ),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.int().optional() }).optional() }) }),
});
export type Configuration = z.infer<typeof configuration>;

/** An error as serialized by the SDK. */
const serializedError = z.looseObject({
  name: z.string().default("Error"),
  message: z.string().default("Unknown error"),
  stack: z.string().optional(),
  cause: z.unknown().optional(),
});
export type SerializedError = z.infer<typeof serializedError>;

/** A step's outcome in the SDK's terms: `StepRun` succeeded, `StepError` may be retried, and so on. */
export type Operation = {
  id: string;
  op: string;
  name?: string | null | undefined;
  displayName?: string | null | undefined;
  /** JSON. */
  data?: unknown;
  error?: SerializedError | undefined;
};

/** Whether, and when, the SDK wants a failed call to be retried: seconds or a date, as in `Retry-After`. */
export type Again = { retriable: boolean; retryAfter: string | null };

/** `last` is the step with which a run ended, if it has not been handed over. */
export type Answer =
  | { kind: "returned"; last: Operation | null }
  | ({ kind: "steps"; operations: Operation[] } & Again)
  | ({ kind: "threw"; error: SerializedError } & Again)
  | { kind: "stopped" };

/** A run in the SDK's format; `steps` holds those that have ended, in the order in which they did. */
export type Call = {
  functionId: string;
  runId: number;
  event: { id: string; name: string; data: Record<string, unknown>; ts: number };
  steps: Map<string, { data: unknown } | { error: { name: string; message: string } }>;
  attempt: number;
  maxAttempts: number;
};

export type Sdk = {
  describe(): Promise<Configuration[]>;
  /**
   * Runs a function until it ends, fails, or a step needs the engine. `keep` receives each step that succeeded before the
   * next one begins, and returns whether to go on; if not, or if it rejects, the answer is "stopped". The last step is
   * part of the answer instead, so that the caller can store it together with the end of the run.
   */
  call(call: Call, keep: (step: Operation) => Promise<boolean>): Promise<Answer>;
};

/** The parts of a function of the SDK that its types hide. */
type Executable = {
  fn: (...given: unknown[]) => unknown;
  createExecution(options: { partialOptions: Record<string, unknown> }): {
    start(): Promise<InngestExecution.ExecutionResult>;
  };
};

export function connectSdk(functions: readonly InngestFunction.Like[]): Sdk {
  const handle = serve({ client: inngest, functions });
  const byId = new Map(
    functions.map((fn) => [(fn as InngestFunction.Any).id(appId), fn as unknown as Executable]),
  );
  return {
    async describe() {
      const response = await handle(
        new Request(address, {
          method: "PUT",
          headers: { ...headers, "x-inngest-sync-kind": "in_band" },
          body: JSON.stringify({ url: address }),
        }),
      );
      const body: unknown = await response.json();
      if (!response.ok) throw new Error(`The jobs do not register: ${JSON.stringify(body)}`);
      return z.object({ functions: z.array(configuration) }).parse(body).functions;
    },

    async call(call, keep) {
      const fn = byId.get(call.functionId);
      if (!fn) throw new Error(`There is no job ${call.functionId}`);
      const progress = new Progress(keep);
      const result = await fn
        .createExecution({
          partialOptions: {
            ...executionOf(call),
            client: Object.create(inngest, { inngestApi: { value: progress } }),
            fn: Object.create(fn, { fn: { value: progress.noticingTheEndOf(fn.fn) } }),
          },
        })
        .start();
      return progress.answer(() => answerOf(result, progress.last));
    },
  };
}

/** Copies, because a function may change what it is given, and is called again. */
function executionOf({ functionId, runId, event: sent, steps, attempt, maxAttempts }: Call) {
  const event = structuredClone(sent);
  const stepState = [...steps].map(([id, ended]) => [id, { id, ...structuredClone(ended) }]);
  return {
    runId: String(runId),
    data: { event, events: [event], runId: String(runId), attempt, maxAttempts },
    stepState: Object.fromEntries(stepState),
    stepCompletionOrder: [...steps.keys()],
    stepMode: "async_checkpointing",
    checkpointingConfig: { bufferedSteps: 1 },
    ...{ internalFnId: functionId, queueItemId: functionId, reqArgs: [], headers: {} },
  };
}

/** The SDK takes an error with this mark as the end of its execution; others make it try again. */
const stop = Object.assign(new Error("The run does not go on here"), {
  "~inngest": { kind: "StaleDispatchError" },
});

/** One execution, from step to step. To the SDK, it is Inngest's API. */
class Progress {
  /** The step with which the run ended. */
  last: Operation | null = null;
  readonly #keep: (step: Operation) => Promise<boolean>;
  #hasEnded = false;
  #stopped: { because: unknown } | null = null;

  constructor(keep: (step: Operation) => Promise<boolean>) {
    this.#keep = keep;
  }

  noticingTheEndOf(run: Executable["fn"]): Executable["fn"] {
    return async (...given) => {
      const result = await run(...given);
      this.#hasEnded = true;
      return result;
    };
  }

  /** Called by the SDK once a step has succeeded; it begins no other one meanwhile. */
  async checkpointStepsAsync({ steps }: { steps: Operation[] }): Promise<void> {
    for (const step of steps) {
      // The function already has the result: if it returns without waiting for anything else, this was its last step.
      await nextTick();
      if (this.#hasEnded) this.last = step;
      else await this.#keepOrStop(step);
    }
  }

  async #keepOrStop(step: Operation): Promise<void> {
    try {
      if (await this.#keep(step)) return;
      this.#stopped = { because: null };
    } catch (error) {
      this.#stopped = { because: error };
    }
    throw stop;
  }

  /** What the SDK answered, unless it was stopped. Throws what `keep` threw. */
  answer(given: () => Answer): Answer {
    if (!this.#stopped) return given();
    if (this.#stopped.because) throw this.#stopped.because;
    return { kind: "stopped" };
  }
}

/** The operation in which the SDK reports what the function returned. */
const runComplete = "RunComplete";

function answerOf(result: InngestExecution.ExecutionResult, last: Operation | null): Answer {
  switch (result.type) {
    case "function-resolved":
      return { kind: "returned", last };
    case "steps-found": {
      if (result.steps.some(({ op }) => op === runComplete)) return { kind: "returned", last };
      return { kind: "steps", operations: result.steps.map(operationOf), ...againOf(undefined) };
    }
    case "step-ran":
      return { kind: "steps", operations: [operationOf(result.step)], ...againOf(result.retriable) };
    case "function-rejected":
      return { kind: "threw", error: errorOf(result.error), ...againOf(result.retriable) };
    default:
      throw new Error(`The SDK answered "${result.type}"`);
  }
}

/** Text is when to try again. */
const againOf = (retriable: boolean | string | undefined): Again => ({
  retriable: retriable !== false,
  retryAfter: typeof retriable === "string" ? retriable : null,
});

const operationOf = ({ error, ...step }: Omit<Operation, "error"> & { error?: unknown }): Operation => ({
  ...step,
  ...(error !== undefined && { error: errorOf(error) }),
});

const errorOf = (error: unknown): SerializedError =>
  serializedError.catch({ name: "Error", message: "Unknown error" }).parse(error);
