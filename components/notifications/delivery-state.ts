import type { CauseKind, Delivery } from "@/server/notifications/schema.ts";
import type { StatusKind } from "../ui/status.tsx";

/** A delivery's state in a word. One that failed but will be retried has its own look. */
export function deliveryState({
  status,
  attempts,
  lastError,
}: Pick<Delivery, "status" | "attempts" | "lastError">): {
  kind: StatusKind;
  word: string;
} {
  if (status === "Sent") return { kind: "ok", word: "Sent" };
  if (status === "Failed") return { kind: "critical", word: "Failed" };
  return attempts > 0 && lastError !== null
    ? { kind: "warning", word: "Retrying" }
    : { kind: "running", word: "Queued" };
}

/** What a notification is about. */
export const causeWords: Record<CauseKind, string> = {
  Execution: "Subscription run",
  Evaluation: "Contract evaluation",
  Monitor: "State of a monitor",
  Approval: "Query change",
  Task: "Task",
  Plan: "Plan of an AI actor",
  Incident: "Incident",
  Digest: "Daily digest",
  PersonalDigest: "Personal digest",
  Actor: "AI actor",
  Test: "Test message",
};
