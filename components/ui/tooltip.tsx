"use client";
import { Slot } from "radix-ui";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { TooltipLayer } from "./tooltip-layer.tsx";

/** How long a pointer rests before a tooltip is shown. */
const delayMs = 400;

/**
 * Tooltip: explains an icon, on hover and focus. Never the only place for important information. What shows it is loaded
 * when it is first needed.
 */
export function Tooltip({
  content,
  side = "top",
  children,
}: {
  content: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  /** One focusable element, with a name of its own. */
  children: ReactNode;
}) {
  const trigger = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [Layer, setLayer] = useState<typeof TooltipLayer | null>(null);
  const [isOpen, setOpen] = useState(false);
  const show = async () => {
    setOpen(true);
    try {
      const loaded = await import("./tooltip-layer.tsx");
      setLayer(() => loaded.TooltipLayer);
    } catch {
      // The service does not respond, which the console says. The element has a name.
    }
  };
  const open = (after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(show, after);
  };
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      <Slot.Root
        ref={trigger}
        onPointerEnter={({ pointerType }) => pointerType !== "touch" && open(delayMs)}
        onPointerLeave={close}
        onPointerDown={close}
        onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && open(0)}
        onBlur={close}
        onKeyDown={({ key }) => key === "Escape" && close()}
      >
        {children}
      </Slot.Root>
      {Layer && isOpen && (
        <Layer trigger={trigger} side={side}>
          {content}
        </Layer>
      )}
    </>
  );
}
