"use client";
import { AlarmClock, AlarmClockOff, CalendarClock } from "lucide-react";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { laterThan } from "@/components/ui/later.ts";
import type { TaskActions } from "./use-task-actions.ts";

/** The items of a menu that put a task off, or wake it. */
export function SnoozeItems({
  snoozed,
  actions,
  onAskUntil,
}: {
  snoozed: boolean;
  actions: TaskActions;
  onAskUntil: () => void;
}) {
  return (
    <>
      {snoozed && (
        <MenuItem icon={AlarmClockOff} onSelect={() => void actions.wake()}>
          Wake it
        </MenuItem>
      )}
      {laterThan(new Date()).map(({ label, until }) => (
        <MenuItem key={label} icon={AlarmClock} onSelect={() => void actions.snooze(until)}>
          Snooze {label}
        </MenuItem>
      ))}
      <MenuItem icon={CalendarClock} onSelect={onAskUntil}>
        Snooze until…
      </MenuItem>
    </>
  );
}
