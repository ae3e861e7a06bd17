"use client";
import { useEffect } from "react";
import { countedTitle } from "./counted-title.ts";
import { useAttentionCount } from "./use-attention-count.ts";

/** Puts the number of items that need a person before the tab's title, whichever page is open. Renders nothing. */
export function TabTitle() {
  const count = useAttentionCount();
  useEffect(() => {
    const write = () => {
      const title = countedTitle(document.title, count);
      if (document.title !== "" && document.title !== title) document.title = title;
    };
    write();
    // Every page sets its own title when it is opened.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [count]);
  return null;
}
