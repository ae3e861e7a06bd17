import type { Difference } from "@/components/edits/three-way.ts";
import { plainValue, type ValueWords } from "@/components/edits/value-words.ts";
import { formatExact, plural } from "@/components/ui/format.ts";
import { conditionWords, methodWords, metricWords, parameterWords } from "./condition-words.ts";
import type { ParameterForm, SubscriptionForm } from "./subscription-form.ts";

/** Descriptions of two people's changes to a subscription. Pure. */

const labels: Record<string, string> = {
  name: "Name",
  cronExpression: "Schedule",
  timezone: "Time zone",
  enabled: "Run on schedule",
  timeoutSeconds: "Time limit",
  condition: "Notify when",
  createTasks: "Open a task",
  anomalyDetection: "Anomalies",
  recipientIds: "Recipients",
  silencedUntil: "Silenced until",
};

const textsIn = (zone: string): Record<string, (value: unknown) => string> => ({
  condition: (value) => {
    const { kind, threshold } = value as SubscriptionForm["condition"];
    return conditionWords({ kind, threshold: Number(threshold) });
  },
  anomalyDetection: (value) => {
    const { enabled, metric, sensitivity, method } = value as SubscriptionForm["anomalyDetection"];
    return enabled ? `${metricWords[metric]}, beyond ${sensitivity} ${methodWords[method].unit}` : "off";
  },
  timeoutSeconds: (value) => `${value} s`,
  recipientIds: (value) => plural((value as number[]).length, "recipient"),
  silencedUntil: (value) => (value === null ? "not silenced" : formatExact(new Date(value as string), zone)),
});

/** With times in `zone`. */
export function subscriptionDifferenceWords(zone: string): (difference: Difference) => ValueWords {
  const texts = textsIn(zone);
  return ({ path }) => {
    if (path.startsWith("parameters."))
      return { label: `Parameter ${path.slice("parameters.".length)}`, text: parameter };
    return { label: labels[path] ?? path, text: texts[path] ?? plainValue };
  };
}

function parameter(value: unknown): string {
  if (value === undefined) return "not there";
  const { kind, typed } = value as ParameterForm;
  if (kind === "null") return "null";
  return kind === "text" || kind === "empty" ? parameterWords(typed) : typed;
}
