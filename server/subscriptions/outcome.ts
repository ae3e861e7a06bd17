import type { DeliveryTally } from "../notifications/service/delivery-tallies.ts";
import type { ExecutionStatus } from "./kinds.ts";
import type { ConditionKind, OutcomeOf, RunState, ToldState, Verdict } from "./schema.ts";

/**
 * The outcome of an execution as three separate facts: whether it ran, what it found, and who was notified. The
 * specification's status combines them and says "NotificationSent" even if there was no recipient.
 */

export type Ended = {
  status: ExecutionStatus;
  rowCount: number | null;
  /** Set if detection judged it. */
  usualLow: number | null;
  /** The end of the silence that was active when it ended. */
  silencedUntil: Date | null;
};

/** The anomaly found in it. */
type Found = { isAcknowledged: boolean } | undefined;

/**
 * Pure. Uses the subscription's current condition, only to tell whether it is a report. A silence that was not stored
 * (by an earlier version) has no known end.
 */
export function outcomeOf(
  execution: Ended,
  conditionKind: ConditionKind,
  anomaly: Found,
  tally: DeliveryTally | undefined,
): OutcomeOf<Date> {
  const run = runStates[execution.status];
  const verdict = verdictOf(execution, conditionKind);
  const { rowCount, silencedUntil } = execution;
  const isReportable =
    run === "Ran" && (anomaly !== undefined || verdict === "Report" || verdict === "Found");
  return {
    run,
    found:
      run !== "Ran" || rowCount === null
        ? null
        : {
            rowCount,
            verdict,
            isUsual: anomaly ? false : execution.usualLow === null ? null : true,
            isAcknowledged: anomaly?.isAcknowledged ?? false,
          },
    told: {
      state: toldState(execution, isReportable, tally),
      recipients: tally?.recipients ?? 0,
      sent: tally?.sent ?? 0,
      failed: (tally?.failed ?? 0) + (tally?.retrying ?? 0),
      silencedUntil,
    },
  };
}

const runStates: Record<ExecutionStatus, RunState> = {
  Created: "Running",
  NotificationSent: "Ran",
  NoResults: "Ran",
  NotificationSilenced: "Ran",
  BelowThreshold: "Ran",
  Failed: "CouldNotRun",
  Timeout: "TimedOut",
};

function verdictOf({ status }: Ended, conditionKind: ConditionKind): Verdict {
  if (status === "BelowThreshold") return "BelowThreshold";
  if (status !== "NotificationSent" && status !== "NotificationSilenced") return "Nothing";
  return conditionKind === "Always" ? "Report" : "Found";
}

function toldState(
  { status, silencedUntil }: Ended,
  isReportable: boolean,
  tally: DeliveryTally | undefined,
): ToldState {
  if (tally) {
    if (tally.failed > 0) return "DeliveryFailed";
    if (tally.retrying > 0) return "Retrying";
    return tally.sent < tally.recipients ? "Sending" : "Told";
  }
  if (!isReportable) return "NothingToTell";
  return status === "NotificationSilenced" || silencedUntil !== null ? "Silenced" : "NobodyToTell";
}
