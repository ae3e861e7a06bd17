"use client";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { CalendarClock } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
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

/** A cron expression: typed or based on a preset, with its meaning in words below. */
export function CronField({
  value,
  onChange,
  onBlur,
  error,
}: {
  value: string;
  onChange: (expression: string) => void;
  onBlur?: () => void;
  error?: FieldProblem;
}) {
  const words = scheduleWords(value);
  return (
    <Field
      label="Cron expression"
      error={error}
      hint={
        words ? (
          <span className="text-ink-2">{words}</span>
        ) : (
          "Five fields: minute, hour, day of month, month, day of week"
        )
      }
      action={
        <Menu>
          <MenuTrigger>
            <Button variant="ghost" size="sm" icon={CalendarClock} className="-my-1.5 -mr-2">
              Common schedules
            </Button>
          </MenuTrigger>
          <MenuContent className="w-72">
            {presets.map((preset) => (
              <MenuItem key={preset} onSelect={() => onChange(preset)}>
                <span className="flex justify-between gap-4">
                  <span className="truncate">{scheduleWords(preset)}</span>
                  <span className="font-mono text-xs text-ink-3">{preset}</span>
                </span>
              </MenuItem>
            ))}
          </MenuContent>
        </Menu>
      }
    >
      <Input
        mono
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}
