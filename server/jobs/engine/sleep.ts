/** How long a run sleeps: for a time, by the database's clock, or until a moment. */
export type Sleep = { ms: number } | { until: Date };

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** As the SDK writes it: `1d2h30m`, or `2026-11-20T09:00:00.000Z`. Null for anything else. Pure. */
export function sleepOf(text: string): Sleep | null {
  if (/^(\d+[wdhms])+$/.test(text)) {
    const parts = text.matchAll(/(\d+)([wdhms])/g);
    const ms = [...parts].reduce(
      (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
      0,
    );
    return { ms };
  }
  const until = /^\d{4}-/.test(text) ? new Date(text) : null;
  return until && !Number.isNaN(until.getTime()) ? { until } : null;
}
