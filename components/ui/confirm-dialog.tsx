"use client";
/**
 * ConfirmDialog: confirms a destructive action. The title names the thing, `children` lists what is lost with it,
 * and the button names the action ("Delete project"), never "OK".
 *
 * `onConfirm` may return a promise: the button waits for it. The dialog closes on success and shows the error on
 * failure. `explain` turns the thrown value into the message.
 */
import { AlertDialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
import { dialogClass } from "./dialog.tsx";
import { FormError } from "./field.tsx";
import { withNames } from "./name.tsx";
import { useFocusReturn } from "./use-focus-return.ts";

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  confirm,
  onConfirm,
  explain = (error) => (error instanceof Error ? error.message : String(error)),
  variant = "danger",
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** The button's text: the action. */
  confirm: string;
  onConfirm: () => unknown;
  explain?: (error: unknown) => string;
  variant?: "danger" | "primary";
  children: ReactNode;
}) {
  const focusReturn = useFocusReturn();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const change = (next: boolean) => {
    if (pending) return;
    setFailure(null);
    onOpenChange(next);
  };
  const act = async () => {
    setPending(true);
    setFailure(null);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(explain(error));
    } finally {
      setPending(false);
    }
  };

  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content {...focusReturn} className={cn(dialogClass, "gap-3 p-4 sm:max-w-md")}>
          <Radix.Title className="text-base font-semibold break-words">{withNames(title)}</Radix.Title>
          <Radix.Description asChild>
            <div className="flex flex-col gap-2 text-sm text-ink-2">{children}</div>
          </Radix.Description>
          <FormError>{failure}</FormError>
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Radix.Cancel asChild>
              <Button variant="secondary">Cancel</Button>
            </Radix.Cancel>
            <Button variant={variant} pending={pending} onClick={act}>
              {confirm}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
