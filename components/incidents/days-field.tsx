"use client";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { weekdays } from "./weekdays.ts";

/** Days of the week: 1 is Monday. */
export function DaysField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: readonly number[];
  onChange: (days: number[]) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
      <legend className="pb-1 text-xs font-medium text-ink-2">{label}</legend>
      {weekdays.map((name, at) => (
        <Checkbox
          key={name}
          label={name}
          checked={value.includes(at + 1)}
          onCheckedChange={(on) =>
            onChange(
              on ? [...value, at + 1].toSorted((a, b) => a - b) : value.filter((day) => day !== at + 1),
            )
          }
        />
      ))}
    </fieldset>
  );
}
