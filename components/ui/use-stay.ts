"use client";
import { useEffect } from "react";

/**
 * Keeps the user on this page while `active`: blocks Back and Forward where the browser allows it, and makes the
 * browser ask before closing or reloading the tab.
 */
export function useStay(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const hold = (event: Event) => event.preventDefault();
    const holdTraversal = (event: Event) => {
      const { navigationType } = event as Event & { navigationType?: string };
      if (navigationType === "traverse" && event.cancelable) event.preventDefault();
    };
    // The Navigation API is not available in every browser.
    const { navigation } = window as { navigation?: EventTarget };
    window.addEventListener("beforeunload", hold);
    navigation?.addEventListener("navigate", holdTraversal);
    return () => {
      window.removeEventListener("beforeunload", hold);
      navigation?.removeEventListener("navigate", holdTraversal);
    };
  }, [active]);
}
