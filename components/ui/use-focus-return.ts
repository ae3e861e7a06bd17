"use client";
import { useRef } from "react";

/**
 * Gives the focus back to where it was when a dialog opened. Radix does so only for dialogs that are opened by
 * a trigger of their own; spread this on the content of the others.
 */
export function useFocusReturn() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (before.current?.isConnected) before.current.focus();
    },
  };
}
