"use client";
import { useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import type { Bulk } from "@/components/bulk/use-bulk.tsx";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Archive, BellOff, UserCheck } from "@/components/ui/icons.tsx";

/** What can be done to the selected contracts. */
export function BulkActions({ bulk }: { bulk: Bulk }) {
  const { client } = trpc.useUtils();
  const { user } = useMe();
  const mayChange = useMay("contracts:configure");
  const [asking, setAsking] = useState<"silence" | "archive" | null>(null);
  const people = trpc.dataQuality.owners.useQuery(undefined, { enabled: mayChange, staleTime: 60_000 });
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id).slice(0, 50);
  const ask = (what: "silence" | "archive") => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  const silenceUntil =
    (until: Date | null, reason = "") =>
    (ids: number[]) =>
      client.dataQuality.silenceMany.mutate({ ids, until: until?.toISOString() ?? null, reason });
  const actions = {
    silence: (until: Date) => bulk.act("Silenced", silenceUntil(until)),
    endSilence: () => bulk.act("Ended the silence of", silenceUntil(null)),
    silenceUntil: (until: Date | null, reason?: string) =>
      bulk.actOrThrow("Silenced", silenceUntil(until, reason)),
  };
  const assign = (userId: number | null) =>
    void bulk.act("Set the owner of", (ids) => client.dataQuality.assignMany.mutate({ ids, userId }));
  return (
    <>
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
      {mayChange && (
        <>
          <Menu>
            <MenuTrigger>
              <Button icon={UserCheck} disabled={bulk.isActing}>
                Owner
              </Button>
            </MenuTrigger>
            <MenuContent>
              <MenuItem onSelect={() => assign(user.id)}>Me</MenuItem>
              <MenuItem onSelect={() => assign(null)}>Nobody</MenuItem>
              <MenuSeparator />
              {others.map(({ id, name }) => (
                <MenuItem key={id} onSelect={() => assign(id)}>
                  {name}
                </MenuItem>
              ))}
            </MenuContent>
          </Menu>
          <Button icon={Archive} disabled={bulk.isActing} onClick={() => setAsking("archive")}>
            Archive
          </Button>
        </>
      )}
      <SilenceDialog of="contract" name={bulk.words} actions={actions} {...ask("silence")} />
      <ConfirmDialog
        {...ask("archive")}
        title={`Archive ${bulk.words}?`}
        confirm={`Archive ${bulk.words}`}
        explain={messageOf}
        onConfirm={() => bulk.actOrThrow("Archived", (ids) => client.dataQuality.archiveMany.mutate({ ids }))}
      >
        <p>Their schedules stop, they disappear from every list, and nobody is notified by them.</p>
        <p>Their evaluations are kept for audit.</p>
      </ConfirmDialog>
    </>
  );
}
