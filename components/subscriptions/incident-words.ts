import type { StatusKind } from "@/components/ui/status.tsx";
import type { IncidentKind, Subscription } from "@/server/subscriptions/schema.ts";

/** What keeps a subscription from its work, in an icon and a word. */
export const incidentWords: Record<IncidentKind, { kind: StatusKind; word: string; remedy: string }> = {
  Failing: {
    kind: "critical",
    word: "Failing",
    remedy: "It ends by itself with the next run that succeeds.",
  },
  Stalled: {
    kind: "stalled",
    word: "Stalled",
    remedy: "It ends by itself with the next run that comes to an end.",
  },
  Undeliverable: {
    kind: "critical",
    word: "Cannot notify",
    remedy: "It ends by itself once everybody could be told of a later run.",
  },
};

/** Whether nobody is told of what it finds now. `now` is null where the time is not known yet. */
export function isSilenced(
  { silencedUntil }: Pick<Subscription, "silencedUntil">,
  now: number | null,
): boolean {
  return silencedUntil !== null && (now === null || Date.parse(silencedUntil) > now);
}
