import type { Job } from "@/server/jobs/schema.ts";
import type { StatusKind } from "../ui/status.tsx";

/** How a job stands, in a word. One that failed for the moment is not yet given up, and looks so. */
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
