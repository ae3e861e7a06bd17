"use client";
import { Bell, BellOff, CalendarClock } from "lucide-react";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { laterThan } from "@/components/ui/later.ts";
import type { SubscriptionActions } from "./use-subscription-actions.ts";

/** The items of a menu that silence a subscription, or end its silence. */
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
      {laterThan(new Date()).map(({ label, until }) => (
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
