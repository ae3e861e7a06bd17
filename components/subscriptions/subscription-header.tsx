"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActorBadge } from "@/components/actors/actor-badge.tsx";
import { useMay } from "@/components/auth/use-me.ts";
import { Schedule } from "@/components/cron/schedule.tsx";
import { Star } from "@/components/favorites/star.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import {
  Archive,
  BellOff,
  CirclePause,
  CirclePlay,
  Ellipsis,
  FileCode2,
  Pencil,
  Play,
} from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { ApprovalBadge } from "./approval-badge.tsx";
import { ArchiveSubscription } from "./archive-subscription.tsx";
import type { ExecutionRun } from "./use-execution-run.ts";
import { useSubscriptionActions } from "./use-subscription-actions.ts";

export function SubscriptionHeader({ subscription, run }: { subscription: Subscription; run: ExecutionRun }) {
  const { href } = useProject();
  const router = useRouter();
  const mayRun = useMay("subscriptions:run");
  const isManaged = useIsManaged("Subscription", subscription.id);
  const mayChange = useMay("subscriptions:configure") && !isManaged;
  const actions = useSubscriptionActions(subscription);
  const silenced = isSilenced(subscription, useNow());
  const [asking, setAsking] = useState<"silence" | "archive" | null>(null);
  const ask = (what: "silence" | "archive") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  const { id, queryId, queryName, title, name, enabled, cronExpression, nextRunAt } = subscription;
  const queryHref = href(`/queries/${queryId}`);
  return (
    <>
      <PageHeader
        parent={{ href: href("/subscriptions"), label: "Subscriptions" }}
        title={
          <Link href={queryHref} className="hover:underline" title="Open the query">
            {title}
          </Link>
        }
        mark={<Star kind="Subscription" id={id} name={title} />}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
            <span>
              <Schedule expression={cronExpression} timezone={subscription.timezone} />
              {enabled && !subscription.approval && (
                <>
                  , next <Moment at={nextRunAt} fallback="–" />
                </>
              )}
            </span>
            {name !== null && (
              <Link href={queryHref} className="text-ink-3 hover:underline">
                {queryName}
              </Link>
            )}
            {subscription.aiActorId !== null && (
              <ActorBadge id={subscription.aiActorId} projectId={subscription.projectId} />
            )}
            {!enabled && <Badge>disabled</Badge>}
            <ApprovalBadge approval={subscription.approval} />
            {silenced && (
              <Badge>
                <BellOff aria-hidden className="size-3" /> silenced, ends{" "}
                <Moment at={subscription.silencedUntil} />
              </Badge>
            )}
          </span>
        }
        actions={
          <>
            {mayRun && (
              <>
                <Button
                  variant="primary"
                  icon={Play}
                  pending={run.isRunning}
                  disabled={subscription.approval !== undefined}
                  onClick={run.start}
                >
                  {run.isRunning ? "Running…" : "Run now"}
                </Button>
                <Menu>
                  <MenuTrigger>
                    <Button icon={BellOff}>{silenced ? "Silenced" : "Silence"}</Button>
                  </MenuTrigger>
                  <MenuContent>
                    <SilenceItems
                      silenced={silenced}
                      actions={actions}
                      onAskUntil={() => setAsking("silence")}
                    />
                  </MenuContent>
                </Menu>
              </>
            )}
            {mayChange && (
              <ButtonLink href={href(`/subscriptions/${id}/edit`)} icon={Pencil}>
                Edit
              </ButtonLink>
            )}
            <Menu>
              <MenuTrigger>
                <Button size="icon" icon={Ellipsis} aria-label="More about this subscription" />
              </MenuTrigger>
              <MenuContent>
                <MenuItem icon={FileCode2} href={queryHref}>
                  Open the query
                </MenuItem>
                {mayChange && (
                  <>
                    <MenuItem
                      icon={enabled ? CirclePause : CirclePlay}
                      onSelect={() => void actions.setEnabled(!enabled)}
                    >
                      {enabled ? "Disable the schedule" : "Enable the schedule"}
                    </MenuItem>
                    <MenuSeparator />
                    <MenuItem icon={Archive} danger onSelect={() => setAsking("archive")}>
                      Archive…
                    </MenuItem>
                  </>
                )}
              </MenuContent>
            </Menu>
          </>
        }
      />
      <SilenceDialog of="subscription" name={title} actions={actions} {...ask("silence")} />
      <ArchiveSubscription
        subscription={subscription}
        onArchived={() => router.push(href("/subscriptions"))}
        {...ask("archive")}
      />
    </>
  );
}
