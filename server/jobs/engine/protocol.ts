import type { InngestFunction } from "inngest";
import { serve } from "inngest/edge";
import { z } from "zod";
import { inngest } from "../client.ts";

/**
 * Calls functions the way Inngest would: through the SDK's own `serve()` handler, in this process with a web Request.
 * No port is opened, and requests are not signed, because they never leave the process.
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
const operation = z.looseObject({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown(),
  error: serializedError.optional(),
});
export type Operation = z.infer<typeof operation>;

/** Whether, and when, the SDK wants a failed call to be retried: seconds or a date, as in `Retry-After`. */
export type Again = { retriable: boolean; retryAfter: string | null };

export type Answer =
  | { kind: "returned" }
  | ({ kind: "steps"; operations: Operation[] } & Again)
  | ({ kind: "threw"; error: SerializedError } & Again);

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
  call(call: Call): Promise<Answer>;
};

export function connectSdk(functions: readonly InngestFunction.Like[]): Sdk {
  const handle = serve({ client: inngest, functions });
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

    async call({ functionId, runId, event, steps, attempt, maxAttempts }) {
      const query = new URLSearchParams({ fnId: functionId, stepId: "step" });
      const response = await handle(
        new Request(`${address}?${query}`, {
          method: "POST",
          headers,
          body: JSON.stringify({
            version: 2,
            event,
            events: [event],
            steps: Object.fromEntries(
              [...steps].map(([key, result]) => [
                key,
                { type: "data" in result ? "data" : "error", ...result },
              ]),
            ),
            // Without fn_id and qi_id, or the SDK would report steps to Inngest by itself.
            ctx: {
              run_id: String(runId),
              attempt,
              max_attempts: maxAttempts,
              stack: { stack: [...steps.keys()], current: steps.size - 1 },
            },
          }),
        }),
      );
      return answerOf(response);
    },
  };
}

async function answerOf(response: Response): Promise<Answer> {
  if (response.status === 200) return { kind: "returned" };
  const body: unknown = await response.json();
  const again = {
    retriable: response.headers.get("x-inngest-no-retry") !== "true",
    retryAfter: response.headers.get("retry-after"),
  };
  if (response.status === 206) return { kind: "steps", operations: z.array(operation).parse(body), ...again };
  return {
    kind: "threw",
    error: serializedError.catch({ name: "Error", message: "Unknown error" }).parse(body),
    ...again,
  };
}
