"use client";
import { useZone } from "@/components/ui/zone.tsx";
import { zoneName } from "@/server/zoned-time.ts";
import { useCron } from "./late-cron.ts";

/**
 * A schedule in words, with its time zone unless it is the reader's: "Every day at 06:00 UTC". As it is written until
 * the parser of schedules is there, so that a link of it always has a name.
 */
export function Schedule({ expression, timezone }: { expression: string; timezone: string }) {
  const { part } = useCron(expression);
  const zone = useZone();
  return (
    <span title={`${expression}, ${timezone}`}>
      {part?.scheduleWords(expression) ?? expression}
      {timezone !== zone && <span className="text-ink-3"> {zoneName(timezone)}</span>}
    </span>
  );
}
