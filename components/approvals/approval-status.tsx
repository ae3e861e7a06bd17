import { Hourglass } from "@/components/ui/icons.tsx";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import type { ApprovalStatus as Value } from "@/server/queries/approval-kinds.ts";

const looks: Record<Value, StatusKind> = {
  Pending: "warning",
  Approved: "ok",
  Rejected: "critical",
  Superseded: "stalled",
};

/** The status of a request. */
export function ApprovalStatus({ status }: { status: Value }) {
  return (
    <Status kind={looks[status]} {...(status === "Pending" && { icon: Hourglass })}>
      {status}
    </Status>
  );
}
