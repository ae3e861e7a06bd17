"use client";
import { useRef } from "react";

/**
 * Gives the focus back to where it was when a dialog opened. Radix does so only for dialogs that are opened by
 * a trigger of their own; spread this on the content of the others. What is marked with `data-autofocus` has the
 * focus first (`autoFocus` would take it before it is known where it was).
 */
export function useFocusReturn() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      const wanted = (event.target as HTMLElement).querySelector<HTMLElement>("[data-autofocus]");
      if (!wanted) return;
      event.preventDefault();
      wanted.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current?.isConnected) before.current.focus();
    },
  };
}
