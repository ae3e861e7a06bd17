import type { IncidentEvent } from "./schema.ts";

type Entry = Pick<IncidentEvent, "kind" | "user" | "more">;

/** So many of the service's own entries of one kind, one after the other, are all shown; of more, half as many. */
const shown = 10;

/** Of ten thousand that joined, a few are named, and the last of these counts the rest. Pure; the browser loads this file too. */
export function withoutRepeats<Event extends Entry>(events: readonly Event[]): Event[] {
  const runs: Event[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === event.kind && !last[0].user && !event.user) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => {
    if (run.length <= shown) return run;
    const kept = run.slice(0, shown / 2);
    const left = run.length - kept.length;
    return kept.map((event, place) => (place === kept.length - 1 ? { ...event, more: left } : event));
  });
}
