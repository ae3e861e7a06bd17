"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Hourglass } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";

/** Says that a subscription doesn't run because its query isn't approved; nothing if it runs. */
export function ApprovalBadge({ approval }: Pick<Subscription, "approval">) {
  const { href } = useProject();
  if (!approval) return null;
  const isRejected = approval.status === "Rejected";
  return (
    <Link
      href={href(`/approvals/${approval.id}`)}
      title={
        isRejected
          ? "An Admin rejected running this query on a schedule. Save the subscription to ask again."
          : "An Admin has to approve this query before the subscription runs it."
      }
    >
      <Badge tone={isRejected ? "critical" : "warning"}>
        <Hourglass aria-hidden className="size-3" />
        {isRejected ? "not approved" : "waits for approval"}
      </Badge>
    </Link>
  );
}
