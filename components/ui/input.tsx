"use client";
/** Input: one line of text or a number. Inside a Field, it gets its label, hint, and error. */
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field.tsx";

/** Shared styling for text inputs and pickers. */
export const controlClass =
  "w-full min-w-0 rounded-md border border-control bg-surface text-ink aria-invalid:border-critical disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-3 [&[readonly]]:bg-sunken focus-visible:outline-offset-[-1px]";

export function Input({ className, mono = false, ...rest }: ComponentProps<"input"> & { mono?: boolean }) {
  const control = useFieldControl();
  return (
    <input
      {...control}
      autoComplete="off"
      {...rest}
      className={cn(
        controlClass,
        "h-8 px-2 text-base sm:text-sm",
        mono && "font-mono sm:text-[13px]",
        rest.type === "number" && "text-right tabular-nums",
        className,
      )}
    />
  );
}
