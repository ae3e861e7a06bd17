"use client";
import { useState } from "react";
import { useMe } from "@/components/auth/use-me.ts";
import type { Bulk } from "@/components/bulk/use-bulk.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { AlarmClock, CircleCheck, UserCheck } from "@/components/ui/icons.tsx";
import { suggestedTimes } from "@/components/ui/later.ts";
import { useZone } from "@/components/ui/zone.tsx";
import { taskPriorities } from "@/server/tasks/kinds.ts";
import { priorityLooks } from "./task-words.ts";

/** What can be done to the selected tasks. */
export function BulkActions({ bulk }: { bulk: Bulk }) {
  const { client } = trpc.useUtils();
  const { user } = useMe();
  const zone = useZone();
  const [isResolving, setResolving] = useState(false);
  const people = trpc.tasks.assignees.useQuery(undefined, { staleTime: 60_000 });
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id).slice(0, 50);
  const assign = (userId: number | null, name: string) =>
    void bulk.act(`Assigned to ${name}:`, (ids) => client.tasks.assignMany.mutate({ ids, userId }));
  const snooze = (until: Date | null) =>
    void bulk.act(until ? "Snoozed" : "Woke", (ids) =>
      client.tasks.snoozeMany.mutate({ ids, until: until?.toISOString() ?? null }),
    );
  return (
    <>
      <Menu>
        <MenuTrigger>
          <Button icon={UserCheck} pending={bulk.isActing}>
            Assign
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => assign(user.id, "you")}>To me</MenuItem>
          <MenuItem onSelect={() => assign(null, "nobody")}>To nobody</MenuItem>
          <MenuSeparator />
          {others.map(({ id, name }) => (
            <MenuItem key={id} onSelect={() => assign(id, name)}>
              {name}
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
      <Menu>
        <MenuTrigger>
          <Button disabled={bulk.isActing}>Priority</Button>
        </MenuTrigger>
        <MenuContent>
          {taskPriorities.toReversed().map((priority) => (
            <MenuItem
              key={priority}
              icon={priorityLooks[priority].icon}
              onSelect={() =>
                void bulk.act(`Set to ${priority}:`, (ids) =>
                  client.tasks.prioritizeMany.mutate({ ids, priority }),
                )
              }
            >
              {priority}
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
      <Menu>
        <MenuTrigger>
          <Button icon={AlarmClock} disabled={bulk.isActing}>
            Snooze
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => snooze(null)}>End the snooze</MenuItem>
          {suggestedTimes(new Date(), zone).map(({ label, until }) => (
            <MenuItem key={label} onSelect={() => snooze(until)}>
              Snooze {label}
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
      <Button icon={CircleCheck} disabled={bulk.isActing} onClick={() => setResolving(true)}>
        Resolve
      </Button>
      <ConfirmDialog
        open={isResolving}
        onOpenChange={setResolving}
        variant="primary"
        title={`Resolve ${bulk.words}?`}
        confirm={`Resolve ${bulk.words}`}
        explain={messageOf}
        onConfirm={() => bulk.actOrThrow("Resolved", (ids) => client.tasks.resolveMany.mutate({ ids }))}
      >
        <p>When a run finds the same again, a new task is opened.</p>
      </ConfirmDialog>
    </>
  );
}
