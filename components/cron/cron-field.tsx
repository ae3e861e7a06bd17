"use client";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { CalendarClock } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { lateCron, useCron } from "./late-cron.ts";

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
  const { part, hasFailed } = useCron(value);
  const words = part?.scheduleWords(value);
  return (
    <Field
      label="Cron expression"
      error={error}
      hint={
        words ? (
          <span className="text-ink-2">{words}</span>
        ) : part === null && !hasFailed ? (
          <Skeleton className="my-0.5 w-40" />
        ) : (
          "Five fields: minute, hour, day of month, month, day of week"
        )
      }
      action={
        <Menu needs={lateCron.load}>
          <MenuTrigger>
            <Button variant="ghost" size="sm" icon={CalendarClock} className="-my-1.5 -mr-2">
              Common schedules
            </Button>
          </MenuTrigger>
          <MenuContent className="w-72">{part && <part.CronPresets onChoose={onChange} />}</MenuContent>
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
