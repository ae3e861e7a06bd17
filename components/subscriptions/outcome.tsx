"use client";
import { cn } from "@/components/ui/class-names.ts";
import { formatClock } from "@/components/ui/format.ts";
/**
 * Outcome: what a run found and who was told, two facts with a look each. The only place that shows them, so that they
 * read the same on every page; OutcomeGuide explains them.
 */
import { Hourglass } from "@/components/ui/icons.tsx";
import { useNow } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { outcomeWords, toldWords } from "@/server/subscriptions/outcome-words.ts";
import { foundLookOf, headWords, type Outcome as OutcomeFacts, toldLooks } from "./outcome-looks.ts";

/** What the run found, or that it failed; and, if there was something to report, who was notified. */
export function Outcome({
  outcome,
  hideTold = false,
  className,
}: {
  outcome: OutcomeFacts;
  /** Set if another column shows who was notified. */
  hideTold?: boolean;
  className?: string;
}) {
  return (
    <span className={cn("inline-flex flex-wrap items-baseline gap-x-2", className)}>
      <Found outcome={outcome} />
      {!hideTold && outcome.told.state !== "NothingToTell" && (
        <Told told={outcome.told} className="text-xs" />
      )}
    </span>
  );
}

function Found({ outcome }: { outcome: OutcomeFacts }) {
  const { kind, icon, hint } = foundLookOf(outcome);
  return (
    <span title={hint}>
      <Status kind={kind} {...(icon && { icon })}>
        {headWords(outcome)}
      </Status>
    </span>
  );
}

/** Shown before the first run: neither good nor bad. */
export function NotRunYet({ className }: { className?: string }) {
  return (
    <Status kind="neutral" icon={Hourglass} {...(className && { className })}>
      Not run yet
    </Status>
  );
}

/** Who was notified: "told 2 of 2", "nobody to tell", "silenced until 14:00", "delivery failed". */
export function Told({ told, className }: { told: OutcomeFacts["told"]; className?: string }) {
  const timeWords = useTimeWords();
  const { kind, hint } = toldLooks[told.state];
  return (
    <span
      className={cn("whitespace-nowrap", kind === "warning" ? "text-warning" : "text-ink-2", className)}
      title={hint}
      suppressHydrationWarning
    >
      {toldWords(told, timeWords)}
    </span>
  );
}

/** Formats times of day in the reader's zone. */
export function useTimeWords(): (at: string | Date) => string {
  const now = useNow();
  const zone = useZone();
  const seenFrom = new Date(now ?? Date.now());
  return (at) => formatClock(new Date(at), seenFrom, zone);
}

/** The outcome in one line, for toasts. */
export const wordsNow = (outcome: OutcomeFacts, zone: string): string =>
  outcomeWords(outcome, (at) => formatClock(new Date(at), new Date(), zone));
