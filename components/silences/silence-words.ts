/** A silence as subscriptions and contracts have it. */
export type Silenced = {
  silencedUntil: string | null;
  silencedBy: { name: string } | null;
  silenceReason: string | null;
};

/** Whether it is silenced now. `now` is null before the time is known. */
export function isSilenced({ silencedUntil }: Pick<Silenced, "silencedUntil">, now: number | null): boolean {
  return silencedUntil !== null && (now === null || Date.parse(silencedUntil) > now);
}
