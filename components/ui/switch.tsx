"use client";
/** Switch: on or off. The knob's position and the filled track show the state, so it doesn't depend on color. */
import { Switch as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "./class-names.ts";

export function Switch({
  checked,
  onCheckedChange,
  label,
  hint,
  disabled = false,
  className,
  ...aria
}: {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  label?: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
  className?: string;
  "aria-label"?: string;
}) {
  const id = useId();
  return (
    <div className={cn("flex items-start gap-2", className)}>
      <Radix.Root
        {...aria}
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onCheckedChange={onCheckedChange}
        className="mt-0.5 h-4 w-7 shrink-0 rounded-full border border-control bg-sunken transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-2.5 translate-x-0.5 rounded-full bg-control transition-transform data-[state=checked]:translate-x-[13px] data-[state=checked]:bg-accent-ink" />
      </Radix.Root>
      {label && (
        <div className="min-w-0">
          <label htmlFor={id} className={cn("text-sm", disabled && "text-ink-3")}>
            {label}
          </label>
          {hint && (
            <div id={`${id}-hint`} className="text-xs text-ink-3">
              {hint}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
