"use client";
import { useRef } from "react";

/**
 * Returns focus to where it was when a dialog opened. Radix does this only for dialogs with their own trigger;
 * spread this on the content of the others. The element marked `data-autofocus` gets the initial focus
 * (`autoFocus` would move it before the previous focus is known).
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
