"use client";
import { useMe } from "@/components/auth/use-me.ts";
import { Button } from "@/components/ui/button.tsx";
import { Hourglass } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import type { Settings } from "@/server/settings/schema.ts";
import { changeWords } from "./change-words.ts";

/** A settings change waiting for another Admin: what, who requested it, and the decision. */
export function PendingChange({
  settings,
  change,
  isDeciding,
  onDecide,
}: {
  settings: Settings;
  change: NonNullable<Settings["pendingChange"]>;
  isDeciding: boolean;
  onDecide: (decision: "approve" | "reject") => void;
}) {
  const { user } = useMe();
  const isOwn = change.requester.id === user.id;
  return (
    <section
      aria-label="A change is waiting for approval"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-72">
        <strong>
          {isOwn ? "You want" : `${change.requester.name} wants`} to {changeWords(settings, change)}
        </strong>
        , requested <Moment at={change.createdAt} />. With four eyes on, another Admin has to approve it.
      </p>
      <span className="flex gap-2">
        {!isOwn && (
          <Button size="sm" variant="primary" pending={isDeciding} onClick={() => onDecide("approve")}>
            Approve
          </Button>
        )}
        <Button size="sm" pending={isDeciding} onClick={() => onDecide("reject")}>
          {isOwn ? "Take back" : "Reject"}
        </Button>
      </span>
    </section>
  );
}
