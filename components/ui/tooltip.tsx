"use client";
/** Tooltip: explains an icon, on hover and focus. Never the only place for important information. */
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Rendered once, around the whole console. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={400}>{children}</Radix.Provider>;
}

export function Tooltip({
  content,
  side = "top",
  children,
}: {
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  /** One focusable element. */
  children: ReactNode;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-ink px-2 py-1 text-xs text-canvas"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
