import { createHash } from "node:crypto";
import type { InngestFunction } from "inngest";
import { z } from "zod";
import { cronProblem, timezone } from "../cron.ts";
import type { Configuration } from "./protocol.ts";

/** A function in the terms of the embedded engine. */
export type JobFunction = {
  id: string;
  maxAttempts: number;
  /** Events that start it; `failureOf`: only the failure of that function. */
  events: { name: string; failureOf?: string }[];
  crons: Cron[];
  /** So many runs at once whose event has the same value there, in all processes; null for no limit. */
  concurrency: { property: string; limit: number } | null;
  /** A property of the event: with one value there, it runs once in 24 hours. Null for as often as it is asked. */
  idempotency: string | null;
};
export type Cron = { expression: string; fields: string; zone: string };

/** Functions ask for what the embedded engine cannot do. The message is one line, for the operator. */
export class UnsupportedJobs extends Error {
  override readonly name = "UnsupportedJobs";
}

export const failureEvent = "inngest/function.failed";

/** The SDK's retries, where a function does not say. */
const defaultRetries = 3;

/**
 * What the SDK says of the functions, translated; throws UnsupportedJobs when any asks for more than events,
 * crons, `step.run`, `step.sendEvent`, sleeps, retries, `onFailure`, and a limit or idempotency for each value of a
 * property of the event.
 * A step tool that hides from the reader of the
 * source, behind another function, is found when it runs, and fails the run.
 */
export function supportedFunctions(
  configurations: Configuration[],
  functions: readonly InngestFunction.Like[],
): JobFunction[] {
  const refused = [...functions.flatMap(unsupportedTools), ...configurations.flatMap(unsupportedParts)];
  if (refused.length > 0)
    throw new UnsupportedJobs(`The embedded jobs engine does not support ${refused.join("; nor ")}`);
  return configurations.map(({ id, triggers, steps, concurrency, idempotency }) => ({
    id,
    concurrency: concurrencyOf(concurrency),
    idempotency: propertyIn(idempotency),
    maxAttempts: (steps.step.retries?.attempts ?? defaultRetries) + 1,
    events: triggers.flatMap(({ event, expression }) => {
      if (event === undefined) return [];
      const failureOf = failureOfIn(expression);
      return [{ name: event, ...(failureOf !== null && { failureOf }) }];
    }),
    crons: triggers.flatMap(({ cron }) => (cron === undefined ? [] : [cronOf(cron)])),
  }));
}

/** Everything in a configuration beyond what is supported, as `debounce of plumbline-x`. */
function unsupportedParts({
  id,
  name: _,
  triggers,
  steps: __,
  concurrency,
  idempotency,
  ...rest
}: Configuration): string[] {
  const wrong = [
    ...Object.keys(rest),
    ...(concurrency !== undefined && concurrencyOf(concurrency) === null
      ? [`the concurrency ${JSON.stringify(concurrency)}`]
      : []),
    ...(idempotency !== undefined && propertyIn(idempotency) === null
      ? [`the idempotency ${JSON.stringify(idempotency)}`]
      : []),
    ...triggers.flatMap(({ event, expression, cron, ...more }) => {
      const extra = Object.keys(more).map((key) => `a trigger's ${key}`);
      if (cron !== undefined) return [...extra, ...(isCron(cron) ? [] : [`the cron "${cron}"`])];
      if (event === undefined) return [...extra, "a trigger that is neither event nor cron"];
      if (event.includes("*")) return [...extra, `the wildcard "${event}"`];
      if (event.startsWith("inngest/") && event !== failureEvent) return [...extra, `the event "${event}"`];
      if (expression !== undefined && !(event === failureEvent && failureOfIn(expression) !== null))
        return [...extra, `the condition "${expression}"`];
      return extra;
    }),
  ];
  return wrong.map((part) => `${part} of ${id}`);
}

const ofAnEvent = /^event\.data\.([A-Za-z_]\w*)$/;

const keyedLimit = z.strictObject({
  limit: z.int().min(1),
  key: z.string().regex(ofAnEvent),
  scope: z.literal("fn").optional(),
});

/** The property in `event.data.<property>`; null for any other expression. */
function propertyIn(expression: unknown): string | null {
  return typeof expression === "string" ? (ofAnEvent.exec(expression)?.[1] ?? null) : null;
}

/** Inngest's own option, in its simplest form: `{ key: "event.data.<property>", limit }`, alone or in a list. */
function concurrencyOf(concurrency: unknown): JobFunction["concurrency"] {
  const { data } = z.union([keyedLimit, z.tuple([keyedLimit])]).safeParse(concurrency);
  if (data === undefined) return null;
  const { key, limit } = Array.isArray(data) ? data[0] : data;
  return { property: propertyIn(key) ?? "", limit };
}

/** What runs of a function are told apart by in an event, as a text; null where it says nothing there. */
export function keyOf(property: string | undefined | null, data: Record<string, unknown>): string | null {
  if (!property || !Object.hasOwn(data, property)) return null;
  const value = data[property];
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  // No index takes a long text.
  return text.length <= 200 ? text : createHash("sha256").update(text).digest("hex");
}

const unsupportedTool =
  /\bstep\s*\.\s*(waitForEvent|waitForSignal|sendSignal|invoke|fetch|ai|realtime|sandbox|metadata|score)\b\s*[.(]/g;

/** Step tools in a function's own source, as `step.invoke in x`. */
function unsupportedTools(fn: InngestFunction.Like): string[] {
  const {
    opts,
    fn: handler,
    onFailureFn,
  } = fn as unknown as {
    opts: { id: string };
    fn: unknown;
    onFailureFn?: unknown;
  };
  const source = `${handler}\n${onFailureFn ?? ""}`;
  return [...new Set([...source.matchAll(unsupportedTool)].map(([, tool]) => `step.${tool} in ${opts.id}`))];
}

/** The condition that the SDK puts on the failure handler of one function. */
function failureOfIn(expression: string | undefined): string | null {
  return /^event\.data\.function_id == '([^']+)'$/.exec(expression ?? "")?.[1] ?? null;
}

/** `0 9 * * *`, in UTC, or `TZ=Europe/Berlin 0 9 * * *`. */
function cronOf(expression: string): Cron {
  const [, zone, fields] = /^(?:TZ=(\S+)\s+)?(.*)$/.exec(expression.trim()) ?? [];
  return { expression, fields: fields ?? "", zone: zone ?? "UTC" };
}

function isCron(expression: string): boolean {
  const { fields, zone } = cronOf(expression);
  return cronProblem(fields) === null && timezone.safeParse(zone).success;
}
