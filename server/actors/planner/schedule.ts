/** When a check runs: as chosen, or at a default time. Spread out so that not everything starts in the same minute. */
export type Schedule = "hourly" | "daily" | { cronExpression: string };

/** FNV-1a: the same text gives the same number everywhere. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of new TextEncoder().encode(text)) {
    hash ^= character;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * A chosen schedule is used as it is. Otherwise `seed`, the check's subject, determines the minute, which is never the
 * full hour; a daily check runs at five: after the nightly loads, before people arrive.
 */
export function cronOf(schedule: Schedule, seed: string): string {
  if (typeof schedule === "object") return schedule.cronExpression;
  const minute = 1 + (hashOf(seed) % 58);
  return schedule === "hourly" ? `${minute} * * * *` : `${minute} 5 * * *`;
}

/** In words, to follow "runs". */
export function scheduleInWords(schedule: Schedule): string {
  if (typeof schedule === "object") return `at ${schedule.cronExpression}`;
  return schedule === "hourly" ? "every hour" : "every day";
}
