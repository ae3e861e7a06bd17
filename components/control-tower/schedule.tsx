import { scheduleWords } from "@/components/cron/schedule-words.ts";

export function Schedule({ expression, timezone }: { expression: string; timezone: string }) {
  return (
    <span title={`${expression}, ${timezone}`}>
      {scheduleWords(expression) ?? expression}
      {timezone !== "UTC" && ` ${timezone}`}
    </span>
  );
}
