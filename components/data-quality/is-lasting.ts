import type { KnownFailure } from "@/server/data-quality/known-failure-schema.ts";

/** Whether a known failure still keeps what it is about from counting. Pure. */
export const isLasting = (
  { until, endedAt }: Pick<KnownFailure, "until" | "endedAt">,
  now: number,
): boolean => endedAt === null && new Date(until).getTime() > now;
