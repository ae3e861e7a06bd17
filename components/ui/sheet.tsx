"use client";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
/** Sheet: a side panel (from below on phones) for details without leaving the list. */
import { X } from "./icons.tsx";
import { useFocusReturn } from "./use-focus-return.ts";

const sides = {
  right: "inset-y-0 right-0 w-full max-w-xl border-l",
  bottom: "inset-x-0 bottom-0 max-h-[85dvh] rounded-t-lg border-t",
};

export function Sheet({
  open,
  onOpenChange,
  title,
  side = "right",
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  side?: keyof typeof sides;
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className={cn(
            "fixed z-40 flex animate-rise flex-col overflow-y-auto bg-surface shadow-float outline-none",
            sides[side],
          )}
        >
          <header className="sticky top-0 flex items-center justify-between gap-4 border-b bg-surface px-4 py-2">
            <Radix.Title className="min-w-0 truncate text-sm font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon-sm" icon={X} aria-label="Close" className="-mr-1" />
            </Radix.Close>
          </header>
          <div className="p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
