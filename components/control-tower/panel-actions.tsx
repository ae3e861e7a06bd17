"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import type { ExecutionRun } from "@/components/subscriptions/use-execution-run.ts";
import { useSubscriptionActions } from "@/components/subscriptions/use-subscription-actions.ts";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { BellOff, BellRing, FileCode2, Play } from "@/components/ui/icons.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";

export function PanelActions({ subscription, run }: { subscription: Subscription; run: ExecutionRun }) {
  const { href } = useProject();
  const mayRun = useMay("subscriptions:run");
  const actions = useSubscriptionActions(subscription);
  const silenced = isSilenced(subscription, useNow());
  const [asks, setAsks] = useState(false);
  const { id, queryId, title, enabled, silencedUntil } = subscription;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {mayRun && (
          <>
            <Button variant="primary" size="sm" icon={Play} pending={run.isRunning} onClick={run.start}>
              {run.isRunning ? "Running…" : "Run now"}
            </Button>
            <Menu>
              <MenuTrigger>
                <Button size="sm" icon={BellOff}>
                  {silenced ? "Silenced" : "Silence"}
                </Button>
              </MenuTrigger>
              <MenuContent align="start">
                <SilenceItems silenced={silenced} actions={actions} onAskUntil={() => setAsks(true)} />
              </MenuContent>
            </Menu>
          </>
        )}
        <ButtonLink size="sm" href={href(`/queries/${queryId}`)} icon={FileCode2}>
          Query
        </ButtonLink>
        <ButtonLink size="sm" href={href(`/subscriptions/${id}`)} icon={BellRing}>
          Subscription
        </ButtonLink>
      </div>
      {(silenced || !enabled) && (
        <p className="pt-2 text-xs text-ink-2">
          {!enabled && "Its schedule is off. "}
          {silenced && (
            <>
              Silenced until <Moment at={silencedUntil} exact />.
            </>
          )}
        </p>
      )}
      <SilenceDialog of="subscription" name={title} actions={actions} open={asks} onOpenChange={setAsks} />
    </>
  );
}
