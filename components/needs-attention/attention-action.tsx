"use client";
import { useState } from "react";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { useSubscriptionActions } from "@/components/subscriptions/use-subscription-actions.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { BellOff, Check, type LucideIcon, Play, RotateCw, UserCheck } from "@/components/ui/icons.tsx";
import type { AttentionItem } from "@/server/needs-attention/schema.ts";
import { type PressedAction, useAttentionActions } from "./use-attention-actions.ts";

const buttons: Record<PressedAction, { icon: LucideIcon; word: string }> = {
  RunNow: { icon: Play, word: "Run now" },
  Evaluate: { icon: Play, word: "Evaluate" },
  Retry: { icon: RotateCw, word: "Retry" },
  Acknowledge: { icon: Check, word: "Acknowledge" },
  AssignToMe: { icon: UserCheck, word: "Assign to me" },
};

/** The one thing to do about an item. */
export function AttentionActionButton({ item, href }: { item: AttentionItem; href: string }) {
  const { isPending, press } = useAttentionActions(item);
  const { kind, ids } = item.action;
  if (kind === "Silence") return <Silence item={item} />;
  if (kind === "Open" || kind === "Review")
    return (
      <ButtonLink href={href} size="sm" aria-label={`${kind} “${item.title}”`}>
        {kind}
      </ButtonLink>
    );
  const { icon, word } = buttons[kind];
  return (
    <Button
      size="sm"
      icon={icon}
      pending={isPending}
      aria-label={`${word}: “${item.title}”`}
      onClick={() => void press(kind)}
    >
      {word}
      {ids.length > 1 && ` ${ids.length}`}
    </Button>
  );
}

function Silence({ item: { title, action } }: { item: AttentionItem }) {
  const utils = trpc.useUtils();
  const [id = 0] = action.ids;
  const own = useSubscriptionActions({ id, title });
  const [isAsking, setAsking] = useState(false);
  const thenRefresh = async (act: Promise<unknown>) => {
    await act;
    await utils.needsAttention.invalidate();
  };
  const actions = {
    ...own,
    silence: (until: Date) => thenRefresh(own.silence(until)),
    silenceUntil: (until: Date | null, reason?: string) => thenRefresh(own.silenceUntil(until, reason)),
  };
  return (
    <>
      <Menu>
        <MenuTrigger>
          <Button size="sm" icon={BellOff} aria-label={`Silence “${title}”`}>
            Silence
          </Button>
        </MenuTrigger>
        <MenuContent>
          <SilenceItems silenced={false} actions={actions} onAskUntil={() => setAsking(true)} />
        </MenuContent>
      </Menu>
      <SilenceDialog
        of="subscription"
        name={title}
        actions={actions}
        open={isAsking}
        onOpenChange={setAsking}
      />
    </>
  );
}
