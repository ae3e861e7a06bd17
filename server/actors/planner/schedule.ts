/** When a check runs: what was chosen, or what is usual. Not everything begins at the same minute. */
export type Schedule = "hourly" | "daily" | { cronExpression: string };

/** FNV-1a: the same text is the same number, everywhere. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of new TextEncoder().encode(text)) {
    hash ^= character;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * What was chosen as it is. Else `seed`, which is what the check is about, chooses the minute, which is never a full
 * hour's; a daily check runs at five: after the night's loads, before people come.
 */
export function cronOf(schedule: Schedule, seed: string): string {
  if (typeof schedule === "object") return schedule.cronExpression;
  const minute = 1 + (hashOf(seed) % 58);
  return schedule === "hourly" ? `${minute} * * * *` : `${minute} 5 * * *`;
}

/** In words, to stand behind "runs". */
export function scheduleInWords(schedule: Schedule): string {
  if (typeof schedule === "object") return `at ${schedule.cronExpression}`;
  return schedule === "hourly" ? "every hour" : "every day";
}
