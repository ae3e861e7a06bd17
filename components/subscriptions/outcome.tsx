"use client";
/** Outcome: what happened in a run, as an icon of its own shape and the words for what it found and who was told. */
import { Hourglass } from "lucide-react";
import { cn } from "@/components/ui/class-names.ts";
import { formatClock } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { outcomeWords, toldWords } from "@/server/subscriptions/outcome-words.ts";
import { headWords, isFailing, lookOf, type Outcome as OutcomeFacts } from "./outcome-looks.ts";

/** What it found, or that it could not run; and below or beside that who was told, where there was something to tell. */
export function Outcome({
  outcome,
  hideTold = false,
  className,
}: {
  outcome: OutcomeFacts;
  /** Where another column says who was told. */
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
  const { kind, icon, hint } = lookOf(outcome);
  return (
    <span title={hint}>
      <Status kind={kind} {...(icon && { icon })}>
        {headWords(outcome)}
      </Status>
    </span>
  );
}

/** In place of an outcome, where there is none yet: neither well nor ill. */
export function NotRunYet({ className }: { className?: string }) {
  return (
    <Status kind="neutral" icon={Hourglass} {...(className && { className })}>
      Not run yet
    </Status>
  );
}

/** Who was told: "told 2 of 2", "nobody to tell", "silenced until 14:00", "delivery failed". */
export function Told({ told, className }: { told: OutcomeFacts["told"]; className?: string }) {
  const timeWords = useTimeWords();
  return (
    <span
      className={cn("whitespace-nowrap", isFailing(told) ? "text-warning" : "text-ink-2", className)}
      suppressHydrationWarning
    >
      {toldWords(told, timeWords)}
    </span>
  );
}

/** Times of day in the reader's zone; before that is known, in UTC, as the server says them. */
export function useTimeWords(): (at: string | Date) => string {
  const now = useNow();
  const seenFrom = new Date(now ?? Date.now());
  return (at) => formatClock(new Date(at), seenFrom, now === null ? "UTC" : undefined);
}

/** The same in a line, for a message that comes and goes. */
export const wordsNow = (outcome: OutcomeFacts): string =>
  outcomeWords(outcome, (at) => formatClock(new Date(at), new Date()));
