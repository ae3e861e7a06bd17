"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import type { Bulk } from "@/components/bulk/use-bulk.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Archive, BellOff, CirclePause, CirclePlay, Ellipsis, Send } from "@/components/ui/icons.tsx";

/** What can be done to the selected subscriptions. */
export function BulkActions({ bulk }: { bulk: Bulk }) {
  const { client } = trpc.useUtils();
  const mayRun = useMay("subscriptions:run");
  const mayChange = useMay("subscriptions:configure");
  const [asking, setAsking] = useState<"silence" | "archive" | null>(null);
  const recipients = trpc.recipients.list.useQuery(useProjectInput(), {
    enabled: mayChange,
    staleTime: 60_000,
  });
  const ask = (what: "silence" | "archive") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  const silenceUntil =
    (until: Date | null, reason = "") =>
    (ids: number[]) =>
      client.subscriptions.silenceMany.mutate({ ids, until: until?.toISOString() ?? null, reason });
  const enable = (enabled: boolean) => (ids: number[]) =>
    client.subscriptions.enableMany.mutate({ ids, enabled });
  const actions = {
    silence: (until: Date) => bulk.act("Silenced", silenceUntil(until)),
    endSilence: () => bulk.act("Ended the silence of", silenceUntil(null)),
    silenceUntil: (until: Date | null, reason?: string) =>
      bulk.actOrThrow("Silenced", silenceUntil(until, reason)),
  };
  return (
    <>
      {mayRun && (
        <Menu>
          <MenuTrigger>
            <Button icon={BellOff} pending={bulk.isActing}>
              Silence
            </Button>
          </MenuTrigger>
          <MenuContent>
            <SilenceItems silenced actions={actions} onAskUntil={() => setAsking("silence")} />
          </MenuContent>
        </Menu>
      )}
      {mayChange && (
        <>
          <Menu>
            <MenuTrigger>
              <Button icon={Send} disabled={bulk.isActing || !recipients.data?.items.length}>
                Add recipient
              </Button>
            </MenuTrigger>
            <MenuContent>
              {(recipients.data?.items ?? []).slice(0, 50).map(({ id, name }) => (
                <MenuItem
                  key={id}
                  onSelect={() =>
                    void bulk.act(`Added “${name}” to`, (ids) =>
                      client.subscriptions.addRecipientToMany.mutate({ ids, recipientId: id }),
                    )
                  }
                >
                  {name}
                </MenuItem>
              ))}
            </MenuContent>
          </Menu>
          <Menu>
            <MenuTrigger>
              <Button
                size="icon"
                icon={Ellipsis}
                disabled={bulk.isActing}
                aria-label="More for the selected subscriptions"
              />
            </MenuTrigger>
            <MenuContent>
              <MenuItem icon={CirclePlay} onSelect={() => void bulk.act("Enabled", enable(true))}>
                Enable
              </MenuItem>
              <MenuItem icon={CirclePause} onSelect={() => void bulk.act("Disabled", enable(false))}>
                Disable
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={Archive} danger onSelect={() => setAsking("archive")}>
                Archive…
              </MenuItem>
            </MenuContent>
          </Menu>
        </>
      )}
      <SilenceDialog of="subscription" name={bulk.words} actions={actions} {...ask("silence")} />
      <ConfirmDialog
        {...ask("archive")}
        title={`Archive ${bulk.words}?`}
        confirm={`Archive ${bulk.words}`}
        explain={messageOf}
        onConfirm={() =>
          bulk.actOrThrow("Archived", (ids) => client.subscriptions.archiveMany.mutate({ ids }))
        }
      >
        <p>They no longer run and disappear from every list. Nobody is notified by them from then on.</p>
        <p>Their runs are kept for audit. Their queries are not affected.</p>
      </ConfirmDialog>
    </>
  );
}
