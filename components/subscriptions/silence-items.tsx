"use client";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { Bell, BellOff, CalendarClock } from "@/components/ui/icons.tsx";
import { suggestedTimes } from "@/components/ui/later.ts";
import type { SubscriptionActions } from "./use-subscription-actions.ts";

/** Menu items to silence a subscription or end its silence. */
export function SilenceItems({
  silenced,
  actions,
  onAskUntil,
}: {
  silenced: boolean;
  actions: SubscriptionActions;
  onAskUntil: () => void;
}) {
  return (
    <>
      {silenced && (
        <MenuItem icon={Bell} onSelect={() => void actions.endSilence()}>
          End the silence
        </MenuItem>
      )}
      {suggestedTimes(new Date()).map(({ label, until }) => (
        <MenuItem key={label} icon={BellOff} onSelect={() => void actions.silence(until)}>
          Silence {label}
        </MenuItem>
      ))}
      <MenuItem icon={CalendarClock} onSelect={onAskUntil}>
        Silence until…
      </MenuItem>
    </>
  );
}
