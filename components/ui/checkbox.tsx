"use client";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "./class-names.ts";
/** Checkbox with its label, for a choice that is saved with a form. Use Switch for one that takes effect at once. */
import { Check, Minus } from "./icons.tsx";

export function Checkbox({
  checked,
  onCheckedChange,
  label,
  hint,
  disabled = false,
  className,
  ...aria
}: {
  checked: boolean | "indeterminate";
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
        onCheckedChange={(next) => onCheckedChange(next === true)}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-surface disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent"
      >
        <Radix.Indicator className="text-accent-ink">
          {checked === "indeterminate" ? (
            <Minus aria-hidden className="size-3" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-3" strokeWidth={3} />
          )}
        </Radix.Indicator>
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
