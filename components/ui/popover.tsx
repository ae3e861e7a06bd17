"use client";
/** Popover: a small panel next to a button, for filters and details. `Popover > PopoverTrigger + PopoverContent`. */
import { Popover as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";

export const Popover = Radix.Root;

export function PopoverTrigger({ children }: { children: ReactNode }) {
  return <Radix.Trigger asChild>{children}</Radix.Trigger>;
}

export function PopoverContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="start"
        sideOffset={4}
        collisionPadding={8}
        {...rest}
        className={cn(
          "z-50 max-h-(--radix-popover-content-available-height) animate-appear overflow-y-auto rounded-lg border bg-surface p-3 shadow-float outline-none",
          className,
        )}
      />
    </Radix.Portal>
  );
}
