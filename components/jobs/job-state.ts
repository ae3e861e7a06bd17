import type { Job } from "@/server/jobs/schema.ts";
import type { StatusKind } from "../ui/status.tsx";

/** A job's state in a word. One that failed but will be retried has its own look. */
export function jobState({ status, attempts, error }: Pick<Job, "status" | "attempts" | "error">): {
  kind: StatusKind;
  word: string;
} {
  switch (status) {
    case "Waiting":
      return attempts > 0 && error !== null
        ? { kind: "warning", word: "Retrying" }
        : { kind: "stalled", word: "Waiting" };
    case "Running":
      return { kind: "running", word: "Running" };
    case "Completed":
      return { kind: "ok", word: "Completed" };
    case "Failed":
      return { kind: "critical", word: "Failed" };
    case "Cancelled":
      return { kind: "neutral", word: "Cancelled" };
  }
}
