/** Label of a control. Field includes one; use this only without a Field. */
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";

export function Label({
  className,
  htmlFor,
  children,
  ...rest
}: ComponentProps<"label"> & { htmlFor: string }) {
  return (
    <label {...rest} htmlFor={htmlFor} className={cn("text-xs font-medium text-ink-2", className)}>
      {children}
    </label>
  );
}
