"use client";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { scheduleWords } from "./schedule-words.ts";

const presets = [
  "*/5 * * * *",
  "*/15 * * * *",
  "0 * * * *",
  "0 6 * * *",
  "0 6 * * 1-5",
  "0 6 * * 1",
  "0 6 1 * *",
] as const;

/** Common schedules, as items of a menu. */
export function CronPresets({ onChoose }: { onChoose: (expression: string) => void }) {
  return presets.map((preset) => (
    <MenuItem key={preset} onSelect={() => onChoose(preset)}>
      <span className="flex justify-between gap-4">
        <span className="truncate">{scheduleWords(preset)}</span>
        <span className="font-mono text-xs text-ink-3">{preset}</span>
      </span>
    </MenuItem>
  ));
}
