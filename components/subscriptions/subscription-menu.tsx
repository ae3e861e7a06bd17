"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu.tsx";
import { Archive, CirclePause, CirclePlay, Pencil, Play } from "@/components/ui/icons.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { useSubscriptionActions } from "./use-subscription-actions.ts";

/** It says when the subscription runs, and the parser of schedules is larger than the list. */
const ArchiveSubscription = dynamic(
  async () => (await import("./archive-subscription.tsx")).ArchiveSubscription,
  { loading: () => null },
);

/** The actions on a row's subscription. */
export function SubscriptionMenu({
  subscription,
  silenced,
}: {
  subscription: Subscription;
  silenced: boolean;
}) {
  const { href } = useProject();
  const mayRun = useMay("subscriptions:run");
  const mayChange = useMay("subscriptions:configure");
  const actions = useSubscriptionActions(subscription);
  const [asking, setAsking] = useState<"silence" | "archive" | null>(null);
  const ask = (what: "silence" | "archive") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  const { id, title, enabled } = subscription;
  if (!mayRun && !mayChange) return null;
  return (
    <>
      <RowMenu of={title}>
        {mayRun && (
          <>
            <MenuItem icon={Play} onSelect={() => void actions.run()}>
              Run now
            </MenuItem>
            <MenuSeparator />
            <SilenceItems silenced={silenced} actions={actions} onAskUntil={() => setAsking("silence")} />
          </>
        )}
        {mayChange && (
          <>
            <MenuSeparator />
            <MenuItem icon={Pencil} href={href(`/subscriptions/${id}/edit`)}>
              Edit
            </MenuItem>
            <MenuItem
              icon={enabled ? CirclePause : CirclePlay}
              onSelect={() => void actions.setEnabled(!enabled)}
            >
              {enabled ? "Disable" : "Enable"}
            </MenuItem>
            <MenuItem icon={Archive} danger onSelect={() => setAsking("archive")}>
              Archive…
            </MenuItem>
          </>
        )}
      </RowMenu>
      <SilenceDialog of="subscription" name={title} actions={actions} {...ask("silence")} />
      <ArchiveSubscription subscription={subscription} {...ask("archive")} />
    </>
  );
}
