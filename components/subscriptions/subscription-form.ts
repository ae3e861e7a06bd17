import type { AnomalyMethod, AnomalyMetric } from "@/server/subscriptions/kinds.ts";
import { defaultSensitivity } from "@/server/subscriptions/kinds.ts";
import type { ConditionKind, Subscription, SubscriptionInput } from "@/server/subscriptions/schema.ts";

/**
 * The editor's values, and their conversion to and from the API. Everything typed is a string here, so that "" or
 * "1e" stay as typed; an invalid number is sent as typed, so that the server rejects it by name.
 */

export const parameterKinds = ["text", "number", "boolean", "empty", "null"] as const;
export type ParameterKind = (typeof parameterKinds)[number];

/** A parameter's value and its kind: the text "5" is not the number 5. */
export type ParameterForm = { kind: ParameterKind; typed: string };

export type SubscriptionForm = {
  queryId: number | null;
  /** Empty: called like its query. */
  name: string;
  /** The query's parameters, by name. */
  parameters: Record<string, ParameterForm>;
  cronExpression: string;
  timezone: string;
  enabled: boolean;
  timeoutSeconds: string;
  condition: { kind: ConditionKind; threshold: string };
  createTasks: boolean;
  anomalyDetection: { enabled: boolean; method: AnomalyMethod; sensitivity: string; metric: AnomalyMetric };
  recipientIds: number[];
  /** ISO 8601. */
  silencedUntil: string | null;
};

export function emptySubscription(start: Partial<SubscriptionForm> = {}): SubscriptionForm {
  return {
    queryId: null,
    name: "",
    parameters: {},
    cronExpression: "0 6 * * *",
    timezone: "UTC",
    enabled: true,
    timeoutSeconds: "60",
    condition: { kind: "RowsFound", threshold: "" },
    createTasks: false,
    anomalyDetection: {
      enabled: false,
      method: "StandardDeviation",
      sensitivity: String(defaultSensitivity.StandardDeviation),
      metric: "RowCount",
    },
    recipientIds: [],
    silencedUntil: null,
    ...start,
  };
}

/** A silence that has expired by `now` is dropped. */
export function formOf(
  subscription: Subscription,
  parameterNames: readonly string[],
  now: number,
): SubscriptionForm {
  const { queryId, cronExpression, timezone, enabled, createTasks, recipientIds } = subscription;
  const { timeoutSeconds, condition, anomalyDetection, silencedUntil } = subscription;
  const given = Object.entries(subscription.parameters).map(
    ([name, value]) => [name, parameterFormOf(value)] as const,
  );
  return {
    ...{ queryId, cronExpression, timezone, enabled, createTasks, recipientIds },
    name: subscription.name ?? "",
    parameters: parametersFor(parameterNames, Object.fromEntries(given)),
    timeoutSeconds: String(timeoutSeconds),
    condition: { kind: condition.kind, threshold: condition.threshold?.toString() ?? "" },
    anomalyDetection: { ...anomalyDetection, sensitivity: String(anomalyDetection.sensitivity) },
    silencedUntil: silencedUntil !== null && Date.parse(silencedUntil) > now ? silencedUntil : null,
  };
}

function parameterFormOf(value: string | number | boolean | null): ParameterForm {
  if (value === null) return { kind: "null", typed: "" };
  if (value === "") return { kind: "empty", typed: "" };
  if (typeof value === "number") return { kind: "number", typed: String(value) };
  if (typeof value === "boolean") return { kind: "boolean", typed: String(value) };
  return { kind: "text", typed: value };
}

/** The fields for a query's parameters; values typed for parameters with the same name are kept. */
export function parametersFor(
  names: readonly string[],
  before: Record<string, ParameterForm>,
): Record<string, ParameterForm> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      (Object.hasOwn(before, name) && before[name]) || { kind: "text" as const, typed: "" },
    ]),
  );
}

/** The API input. Not validated here: this only converts. */
export function subscriptionInputOf(form: SubscriptionForm): SubscriptionInput {
  const { cronExpression, timezone, enabled, createTasks, recipientIds, silencedUntil } = form;
  return {
    ...{ cronExpression, timezone, enabled, createTasks, recipientIds, silencedUntil },
    queryId: form.queryId as number,
    // A draft that was kept before there were names has none.
    name: form.name?.trim() || null,
    parameters: Object.fromEntries(
      Object.entries(form.parameters).map(([name, parameter]) => [
        name,
        parameterValueOf(parameter) as string,
      ]),
    ),
    timeoutSeconds: numberIn(form.timeoutSeconds) as number,
    ...judgmentOf(form),
  };
}

/** The part a backtest evaluates. */
export function judgmentOf({ condition: { kind, threshold }, anomalyDetection }: SubscriptionForm) {
  const hasThreshold = needsThreshold(kind);
  return {
    condition: { kind, ...(hasThreshold && { threshold: numberIn(threshold) as number }) },
    anomalyDetection: anomalyDetection.enabled
      ? { ...anomalyDetection, sensitivity: numberIn(anomalyDetection.sensitivity) as number }
      : offDetection(anomalyDetection),
  };
}

/** Detection that is off keeps its settings unless they are invalid. */
function offDetection({ sensitivity, ...detection }: SubscriptionForm["anomalyDetection"]) {
  const number = numberIn(sensitivity);
  const isUsable = typeof number === "number" && number >= 0.1 && number <= 10_000;
  return { ...detection, ...(isUsable && { sensitivity: number }) };
}

export const needsThreshold = (kind: ConditionKind) => kind === "RowCountAbove" || kind === "RowCountBelow";

function parameterValueOf({ kind, typed }: ParameterForm): unknown {
  if (kind === "null") return null;
  if (kind === "empty") return "";
  if (kind === "number") return numberIn(typed);
  if (kind === "boolean") return typed === "" ? undefined : typed === "true";
  return typed;
}

/** The typed number; null if empty, and the text itself if invalid. The server rejects both. */
export function numberIn(typed: string): number | string | null {
  const text = typed.trim();
  if (text === "") return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
}
