"use client";
/**
 * ChoiceList: one of two to five options, each with an explanation that is always visible. With more options, or
 * when they need no explanation, use Select.
 *
 *   <ChoiceList label="Role" value={role} onValueChange={setRole} options={[{ value: "Viewer", label: "Viewer", hint: "…" }]} />
 */
import { RadioGroup as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "./class-names.ts";

export type Choice<Value extends string> = { value: Value; label: ReactNode; hint?: ReactNode };

export function ChoiceList<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly Choice<Value>[];
  className?: string;
}) {
  const id = useId();
  return (
    <div className={cn("flex min-w-0 flex-col gap-1", className)}>
      <div id={`${id}-label`} className="text-xs font-medium text-ink-2">
        {label}
      </div>
      <Radix.Root
        value={value}
        onValueChange={(next) => onValueChange(next as Value)}
        aria-labelledby={`${id}-label`}
        className="flex flex-col rounded-md border"
      >
        {options.map((option) => {
          const own = `${id}-${option.value}`;
          return (
            // The whole row is clickable; the label is its accessible name.
            <label
              key={option.value}
              htmlFor={own}
              className="flex cursor-pointer items-start gap-2 border-b px-3 py-1.5 last:border-b-0 hover:bg-hover has-[[data-state=checked]]:bg-accent-soft"
            >
              <Radix.Item
                id={own}
                value={option.value}
                aria-labelledby={`${own}-label`}
                aria-describedby={option.hint ? `${own}-hint` : undefined}
                className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-surface data-[state=checked]:border-accent"
              >
                <Radix.Indicator className="size-2 rounded-full bg-accent" />
              </Radix.Item>
              <span className="min-w-0">
                <span id={`${own}-label`} className="block text-sm">
                  {option.label}
                </span>
                {option.hint && (
                  <span id={`${own}-hint`} className="block text-xs text-ink-3">
                    {option.hint}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </Radix.Root>
    </div>
  );
}
