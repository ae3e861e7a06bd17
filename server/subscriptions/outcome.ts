import type { DeliveryTally } from "../notifications/service/delivery-tallies.ts";
import type { ConditionKind, ExecutionStatus, OutcomeOf, RunState, ToldState, Verdict } from "./schema.ts";

/**
 * What happened in an execution, as three facts that are never mixed: whether it ran, what it found, and who was told.
 * Its status is one word for all of them, which the specification sets, and says "NotificationSent" where nobody was.
 */

export type Ended = {
  status: ExecutionStatus;
  rowCount: number | null;
  /** Set where detection could judge it. */
  usualLow: number | null;
  /** Until when it was silenced as it ended. */
  silencedUntil: Date | null;
};

/** The anomaly that was found in it. */
type Found = { isAcknowledged: boolean } | undefined;

/**
 * Pure. The subscription's condition is the one of today: only whether it is a report is read from it. A silence
 * that is not stored (an execution of an earlier version) has no end that anybody could say.
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
  const isToTell = run === "Ran" && (anomaly !== undefined || verdict === "Report" || verdict === "Found");
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
      state: toldState(execution, isToTell, tally),
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
  isToTell: boolean,
  tally: DeliveryTally | undefined,
): ToldState {
  if (tally) {
    if (tally.failed > 0) return "DeliveryFailed";
    if (tally.retrying > 0) return "Retrying";
    return tally.sent < tally.recipients ? "Sending" : "Told";
  }
  if (!isToTell) return "NothingToTell";
  return status === "NotificationSilenced" || silencedUntil !== null ? "Silenced" : "NobodyToTell";
}
