import { createHash } from "node:crypto";
import type { InngestFunction } from "inngest";
import { z } from "zod";
import { cronProblem } from "../cron.ts";
import type { Configuration } from "./protocol.ts";

/** A function in the terms of the embedded engine. */
export type JobFunction = {
  id: string;
  maxAttempts: number;
  /** The names of the events that trigger it. */
  events: string[];
  /** Five fields, in UTC. */
  crons: string[];
  /**
   * How many runs whose events have the same value in `property` may be in progress at once, across all processes; null
   * for no limit.
   */
  concurrency: { property: string; limit: number } | null;
};

/** A function uses a feature that the embedded engine lacks. The message is one line, for the operator. */
export class UnsupportedJobs extends Error {
  override readonly name = "UnsupportedJobs";
}

/** The SDK's default number of retries. */
const defaultRetries = 3;

/**
 * Translates the SDK's description of functions; throws UnsupportedJobs if any uses more than events, crons,
 * `step.run`, retries, and a concurrency limit for each value of a property of the event. A step tool hidden in another
 * function is only detected when it runs, and fails the run.
 */
export function supportedFunctions(
  configurations: Configuration[],
  functions: readonly InngestFunction.Like[],
): JobFunction[] {
  const refused = [...functions.flatMap(unsupportedTools), ...configurations.flatMap(unsupportedParts)];
  if (refused.length > 0)
    throw new UnsupportedJobs(`The embedded jobs engine does not support ${refused.join("; nor ")}`);
  return configurations.map(({ id, triggers, steps, concurrency }) => ({
    id,
    concurrency: concurrencyOf(concurrency),
    maxAttempts: (steps.step.retries?.attempts ?? defaultRetries) + 1,
    events: triggers.flatMap(({ event }) => event ?? []),
    crons: triggers.flatMap(({ cron }) => cron ?? []),
  }));
}

/** Unsupported options in a configuration, such as `debounce of plumbline-x`. */
function unsupportedParts({
  id,
  name: _,
  triggers,
  steps: __,
  concurrency,
  ...rest
}: Configuration): string[] {
  const wrong = [
    ...Object.keys(rest),
    ...(concurrency !== undefined && concurrencyOf(concurrency) === null
      ? [`the concurrency ${JSON.stringify(concurrency)}`]
      : []),
    ...triggers.flatMap(({ event, expression, cron, ...more }) => {
      const extra = Object.keys(more).map((key) => `a trigger's ${key}`);
      if (cron !== undefined)
        return [...extra, ...(cronProblem(cron) === null ? [] : [`the cron "${cron}"`])];
      if (event === undefined) return [...extra, "a trigger that is neither event nor cron"];
      if (event.includes("*")) return [...extra, `the wildcard "${event}"`];
      if (event.startsWith("inngest/")) return [...extra, `the event "${event}"`];
      if (expression !== undefined) return [...extra, `the condition "${expression}"`];
      return extra;
    }),
  ];
  return wrong.map((part) => `${part} of ${id}`);
}

const keyedLimit = z.strictObject({
  limit: z.int().min(1),
  key: z
    .templateLiteral(["event.data.", z.string().regex(/^[A-Za-z_]\w*$/)])
    .transform((key) => key.slice("event.data.".length)),
  scope: z.literal("fn").optional(),
});

/** Inngest's own option, in its simplest form: `{ key: "event.data.<property>", limit }`. */
function concurrencyOf(concurrency: unknown): JobFunction["concurrency"] {
  const { data } = keyedLimit.safeParse(concurrency);
  return data ? { property: data.key, limit: data.limit } : null;
}

/** The concurrency key of an event as text; null if the property is missing or null. */
export function keyOf(property: string | undefined | null, data: Record<string, unknown>): string | null {
  if (!property || !Object.hasOwn(data, property)) return null;
  const value = data[property];
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  // An index cannot hold long text.
  return text.length <= 200 ? text : createHash("sha256").update(text).digest("hex");
}

const unsupportedTool =
  /\bstep\s*\.\s*(sleep|sleepUntil|sendEvent|waitForEvent|waitForSignal|sendSignal|invoke|fetch|ai|realtime|sandbox|metadata|score)\b\s*[.(]/g;

/** Step tools in a function's own source, such as `step.invoke in x`. */
function unsupportedTools(fn: InngestFunction.Like): string[] {
  const { opts, fn: handler } = fn as unknown as { opts: { id: string }; fn: unknown };
  const source = String(handler);
  return [...new Set([...source.matchAll(unsupportedTool)].map(([, tool]) => `step.${tool} in ${opts.id}`))];
}
