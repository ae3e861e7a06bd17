import type { IncidentKind } from "@/server/subscriptions/schema.ts";

/** What is marked beside the values of a chart of runs: new versions of the query, and incidents. Pure. */

/** The runs that were the first of another version than the run before. */
export function versionMarks(
  runs: readonly { queryVersion: number }[],
): { index: number; version: number }[] {
  return runs.flatMap(({ queryVersion: version }, index) =>
    index > 0 && runs[index - 1]?.queryVersion !== version ? [{ index, version }] : [],
  );
}

export type IncidentSpan = {
  kind: IncidentKind;
  reason: string;
  /** The first and last run in it; between two runs for an incident without any. */
  from: number;
  to: number;
};

/**
 * The runs from the start to the end of each incident, by their times in milliseconds, oldest first. Omits incidents
 * that ended before the first run. One that began before it starts at the left edge, and an open one ends at the right.
 */
export function incidentSpans(
  times: readonly number[],
  incidents: readonly { kind: IncidentKind; reason: string; openedAt: string; closedAt: string | null }[],
): IncidentSpan[] {
  const first = times[0];
  if (first === undefined) return [];
  return incidents.flatMap(({ kind, reason, openedAt, closedAt }) => {
    const [opened, closed] = [Date.parse(openedAt), closedAt === null ? Infinity : Date.parse(closedAt)];
    if (closed < first) return [];
    // A run that opens an incident began before it.
    const before = times.findLastIndex((time) => time <= opened);
    const until = times.findLastIndex((time) => time <= closed);
    const from = Math.max(kind === "Stalled" ? before + 0.5 : before, 0);
    return [{ kind, reason, from, to: Math.max(until, from) }];
  });
}
