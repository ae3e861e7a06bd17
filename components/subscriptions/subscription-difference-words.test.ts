import { expect, test } from "vitest";
import { mergeSubscriptions } from "./merge-subscription.ts";
import { subscriptionDifferenceWords } from "./subscription-difference-words.ts";
import { emptySubscription } from "./subscription-form.ts";

test("differences are named as in the form", () => {
  const base = emptySubscription({ parameters: { country: { kind: "text", typed: "DE" } } });
  const theirs = {
    ...base,
    enabled: false,
    silencedUntil: "2025-11-20T13:00:00Z",
    timeoutSeconds: "90",
    condition: { kind: "RowCountAbove" as const, threshold: "10" },
    anomalyDetection: { ...base.anomalyDetection, enabled: true },
    parameters: { country: { kind: "null" as const, typed: "" } },
    recipientIds: [1, 2],
  };
  const told = mergeSubscriptions({ base, mine: base, theirs }, {}).differences.map((difference) => {
    const { label, text } = subscriptionDifferenceWords("Europe/Berlin")(difference);
    return `${label}: ${text(difference.base)} → ${text(difference.theirs)}`;
  });
  expect(told).toEqual([
    "Run on schedule: on → off",
    "Time limit: 60 s → 90 s",
    "Notify when: When rows are found → Above 10 rows",
    "Anomalies: off → Number of rows, beyond 2.5 standard deviations from the mean",
    "Silenced until: not silenced → Thu, 20 Nov 2025, 14:00:00 CET",
    "Parameter country: “DE” → null",
    "Recipients: 0 recipients → 2 recipients",
  ]);
});
