"use client";
/** Textarea: several lines; grows with its content where the browser supports it. */
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field.tsx";
import { controlClass } from "./input.tsx";

export function Textarea({
  className,
  mono = false,
  ...rest
}: ComponentProps<"textarea"> & { mono?: boolean }) {
  const control = useFieldControl();
  return (
    <textarea
      {...control}
      rows={3}
      {...rest}
      className={cn(
        controlClass,
        "field-sizing-content max-h-96 px-2 py-1.5 text-base sm:text-sm",
        mono && "font-mono sm:text-[13px]",
        className,
      )}
    />
  );
}
