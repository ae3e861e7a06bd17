"use client";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { AlarmClock, AlarmClockOff, CalendarClock } from "@/components/ui/icons.tsx";
import { suggestedTimes } from "@/components/ui/later.ts";
import { useZone } from "@/components/ui/zone.tsx";
import type { TaskActions } from "./use-task-actions.ts";

/** Menu items to snooze or wake a task. */
export function SnoozeItems({
  snoozed,
  actions,
  onAskUntil,
}: {
  snoozed: boolean;
  actions: TaskActions;
  onAskUntil: () => void;
}) {
  const zone = useZone();
  return (
    <>
      {snoozed && (
        <MenuItem icon={AlarmClockOff} onSelect={() => void actions.wake()}>
          End snooze
        </MenuItem>
      )}
      {suggestedTimes(new Date(), zone).map(({ label, until }) => (
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
