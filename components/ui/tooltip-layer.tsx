"use client";
import { Portal } from "radix-ui";
import { Popper } from "radix-ui/internal";
import type { ReactNode, RefObject } from "react";

/** What shows a tooltip, beside its element; see tooltip.tsx. */
export function TooltipLayer({
  trigger,
  side,
  children,
}: {
  trigger: RefObject<HTMLElement | null>;
  side: "top" | "right" | "bottom" | "left";
  children: ReactNode;
}) {
  return (
    <Popper.Root>
      <Popper.Anchor virtualRef={trigger as RefObject<HTMLElement>} />
      <Portal.Root>
        <Popper.Content
          role="tooltip"
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="pointer-events-none z-50 max-w-72 animate-appear rounded-md bg-ink px-2 py-1 text-xs text-canvas"
        >
          {children}
        </Popper.Content>
      </Portal.Root>
    </Popper.Root>
  );
}
