"use client";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { Bell, BellOff, CalendarClock } from "@/components/ui/icons.tsx";
import { suggestedTimes } from "@/components/ui/later.ts";
import { useZone } from "@/components/ui/zone.tsx";

/** Silences something or ends its silence. */
export type SilenceActions = {
  /** Both report their failure themselves. */
  silence: (until: Date) => Promise<unknown>;
  endSilence: () => Promise<unknown>;
  /** Throws on failure, for a dialog to show. */
  silenceUntil: (until: Date | null, reason?: string) => Promise<unknown>;
};

/** Menu items to silence a subscription or contract, or end its silence. */
export function SilenceItems({
  silenced,
  actions,
  onAskUntil,
}: {
  silenced: boolean;
  actions: SilenceActions;
  onAskUntil: () => void;
}) {
  const zone = useZone();
  return (
    <>
      {silenced && (
        <MenuItem icon={Bell} onSelect={() => void actions.endSilence()}>
          End the silence
        </MenuItem>
      )}
      {suggestedTimes(new Date(), zone).map(({ label, until }) => (
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
