import { expect, test } from "vitest";
import type { Outcome } from "@/components/subscriptions/outcome-looks.ts";
import { healthLook } from "./health-looks.ts";

const ran = (verdict: "Found" | "Nothing" | "Report", isUsual: boolean | null = null) => ({
  outcome: {
    run: "Ran",
    found: { rowCount: 22, verdict, isUsual, isAcknowledged: false },
    told: { state: "Told", recipients: 2, sent: 2, failed: 0, silencedUntil: null },
  } satisfies Outcome,
});

const couldNotRun = {
  outcome: {
    run: "CouldNotRun",
    found: null,
    told: { state: "NothingToTell", recipients: 0, sent: 0, failed: 0, silencedUntil: null },
  } satisfies Outcome,
};

test.each([
  ["Green", 30, couldNotRun, "Healthy", "neutral"],
  ["Green", 3, ran("Nothing"), "Healthy", "ok"],
  ["Green", 3, ran("Report"), "Healthy", "ok"],
  ["Green", 3, null, "Healthy", "ok"],
  ["Green", 3, ran("Found"), "Healthy", "neutral"],
  ["Green", 3, ran("Report", false), "Healthy", "neutral"],
  ["Green", 0, null, "Not run yet", "neutral"],
  ["Stalled", 0, null, "Stalled", "stalled"],
  ["Red", 1, ran("Nothing"), "Critical", "critical"],
  ["Amber", 4, ran("Found"), "Warning", "warning"],
] as const)(
  "%s after %i runs, the last of them %j, looks %s and %s",
  (status, totalExecutions, lastExecution, word, kind) => {
    expect(healthLook({ status, totalExecutions, lastExecution })).toMatchObject({ word, kind });
  },
);
