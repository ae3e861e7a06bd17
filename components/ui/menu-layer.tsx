"use client";
import { Menu as Radix } from "radix-ui/internal";
import { type ReactNode, type RefObject, useRef } from "react";

/** What shows an open menu, at a trigger that is not its own. Loaded when one is about to be opened; see dropdown-menu.tsx. */
function Surface({
  id,
  trigger,
  labelledBy,
  entersFirstItem,
  align,
  side,
  onClose,
  onClosed,
  className,
  children,
}: {
  id: string;
  trigger: RefObject<HTMLElement | null>;
  labelledBy: string;
  /** As keyboards expect it. With a pointer, the menu itself has the focus. */
  entersFirstItem: boolean;
  align: "start" | "center" | "end";
  side: "top" | "bottom";
  onClose: () => void;
  /** Called when the focus is back on the trigger. */
  onClosed: () => void;
  className: string;
  children: ReactNode;
}) {
  const entersFirst = useRef(entersFirstItem);
  const enter = (event: Event) => {
    if (!entersFirst.current) return;
    entersFirst.current = false;
    event.preventDefault();
    const menu = event.currentTarget as HTMLElement;
    menu.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus({ preventScroll: true });
  };
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Anchor virtualRef={trigger as RefObject<HTMLElement>} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-labelledby={labelledBy}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onEntryFocus={enter}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            trigger.current?.focus();
            onClosed();
          }}
          className={className}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const { Item, RadioGroup, RadioItem, ItemIndicator, Label, Separator } = Radix;

export const menuLayer = { Surface, Item, RadioGroup, RadioItem, ItemIndicator, Label, Separator };
export type Layer = typeof menuLayer;
