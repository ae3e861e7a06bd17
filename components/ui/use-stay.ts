"use client";
import { useEffect } from "react";

/**
 * Keeps the person on this page while `active`: going back and forward is held up where the browser allows it,
 * and closing or reloading the tab makes the browser ask.
 */
export function useStay(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const hold = (event: Event) => event.preventDefault();
    const holdTraversal = (event: Event) => {
      const { navigationType } = event as Event & { navigationType?: string };
      if (navigationType === "traverse" && event.cancelable) event.preventDefault();
    };
    // The Navigation API; not every browser has it.
    const { navigation } = window as { navigation?: EventTarget };
    window.addEventListener("beforeunload", hold);
    navigation?.addEventListener("navigate", holdTraversal);
    return () => {
      window.removeEventListener("beforeunload", hold);
      navigation?.removeEventListener("navigate", holdTraversal);
    };
  }, [active]);
}
