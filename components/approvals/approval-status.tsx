import { Hourglass } from "lucide-react";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import type { ApprovalStatus as Value } from "@/server/queries/approval-kinds.ts";

const looks: Record<Value, StatusKind> = {
  Pending: "warning",
  Approved: "ok",
  Rejected: "critical",
  Superseded: "stalled",
};

/** What has become of a change. */
export function ApprovalStatus({ status }: { status: Value }) {
  return (
    <Status kind={looks[status]} {...(status === "Pending" && { icon: Hourglass })}>
      {status}
    </Status>
  );
}
