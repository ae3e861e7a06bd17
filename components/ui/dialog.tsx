"use client";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
/**
 * Dialog: a short task on top of the page. With `locked`, only the dialog's own buttons close it: Escape, clicking
 * outside, and the browser's Back do nothing, and closing the tab asks for confirmation.
 *
 *   <Dialog open={open} onOpenChange={setOpen} title="New project" description="…">
 *     …
 *     <DialogFooter><Button variant="primary">Create</Button></DialogFooter>
 *   </Dialog>
 */
import { X } from "./icons.tsx";
import { withNames } from "./name.tsx";
import { useFocusReturn } from "./use-focus-return.ts";
import { useStay } from "./use-stay.ts";

const widths = { sm: "sm:max-w-sm", md: "sm:max-w-lg", lg: "sm:max-w-3xl" };

export const dialogClass =
  "fixed z-50 flex max-h-[calc(100dvh-1rem)] w-full flex-col overflow-y-auto border bg-surface shadow-float outline-none animate-rise inset-x-0 bottom-0 rounded-t-lg sm:inset-x-auto sm:bottom-auto sm:top-[12vh] sm:left-1/2 sm:-translate-x-1/2 sm:max-h-[80vh] sm:rounded-lg";

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = "md",
  locked = false,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
  locked?: boolean;
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  useStay(open && locked);
  const stay = locked ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={(next) => (locked && !next ? undefined : onOpenChange(next))}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          {...focusReturn}
          className={cn(dialogClass, widths[size])}
          data-locked={locked || undefined}
          {...(stay ? { onEscapeKeyDown: stay, onPointerDownOutside: stay, onInteractOutside: stay } : {})}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <header className="flex items-start justify-between gap-4 px-4 pt-4 pb-3">
            <div className="min-w-0">
              <Radix.Title className="text-base font-semibold break-words">{withNames(title)}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-1 text-sm text-ink-2">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!locked && (
              <Radix.Close asChild>
                <Button variant="ghost" size="icon-sm" icon={X} aria-label="Close" className="-mt-1 -mr-1" />
              </Radix.Close>
            )}
          </header>
          <div className="flex flex-col gap-4 px-4 pb-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The dialog's buttons, primary action last. */
export function DialogFooter({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cn("flex flex-wrap justify-end gap-2 pt-2", className)}>{children}</div>;
}

/** Closes the dialog that contains it. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Radix.Close asChild>{children}</Radix.Close>;
}
