"use client";
import { useZone } from "@/components/ui/zone.tsx";
import { zoneName } from "@/server/zoned-time.ts";
import { scheduleWords } from "./schedule-words.ts";

/** A schedule in words, with its time zone unless it is the reader's: "Every day at 06:00 UTC". */
export function ScheduleInWords({ expression, timezone }: { expression: string; timezone: string }) {
  const zone = useZone();
  return (
    <span title={`${expression}, ${timezone}`}>
      {scheduleWords(expression) ?? expression}
      {timezone !== zone && <span className="text-ink-3"> {zoneName(timezone)}</span>}
    </span>
  );
}
