"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import { discardOpenDrafts } from "@/components/drafts/open-drafts.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";

/** The part of the Navigation API that is used here; not every browser has it. */
type NavigateEvent = Event & { navigationType: string; cancelable: boolean; destination: { key: string } };
type Navigation = EventTarget & {
  traverseTo(key: string): { committed: Promise<unknown>; finished: Promise<unknown> };
};

/** Asks before the changes of the form around it are lost. */
export function LeaveGuard() {
  const { isDirty, isSubmitting } = useFormContext().formState;
  return <ChangesGuard isAtStake={isDirty && !isSubmitting} />;
}

/**
 * Asks before unsaved changes are lost: on a link of the console, on the browser's back and forward where it can
 * be held up, and, with the browser's own words, on closing the tab.
 */
export function ChangesGuard({ isAtStake }: { isAtStake: boolean }) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  /** The person has said to go: nothing is held up any more. */
  const isLeaving = useRef(false);

  useEffect(() => {
    if (!isAtStake) return;
    const holdUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    const holdLink = (event: MouseEvent) => {
      const isPlain =
        event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      const link = (event.target as Element | null)?.closest?.("a[href]");
      if (isLeaving.current || !isPlain || !(link instanceof HTMLAnchorElement) || link.target === "_blank")
        return;
      if (link.origin !== window.location.origin || link.hasAttribute("download")) return;
      if (link.pathname === window.location.pathname && link.hash !== "") return;
      event.preventDefault();
      event.stopPropagation();
      const to = link.pathname + link.search + link.hash;
      setLeave(() => () => router.push(to));
    };
    const navigation = (window as { navigation?: Navigation }).navigation;
    const holdTraversal = (event: Event) => {
      const { navigationType, cancelable, destination } = event as NavigateEvent;
      if (navigationType !== "traverse" || !cancelable || isLeaving.current) return;
      event.preventDefault();
      setLeave(() => () => {
        const { committed, finished } = navigation?.traverseTo(destination.key) ?? {};
        // Where it does not come about, the page is simply still here.
        committed?.catch(() => {});
        finished?.catch(() => {});
      });
    };
    window.addEventListener("beforeunload", holdUnload);
    // Before React's own listeners, which would already follow the link.
    document.addEventListener("click", holdLink, { capture: true });
    navigation?.addEventListener("navigate", holdTraversal);
    return () => {
      window.removeEventListener("beforeunload", holdUnload);
      document.removeEventListener("click", holdLink, { capture: true });
      navigation?.removeEventListener("navigate", holdTraversal);
    };
  }, [isAtStake, router]);

  return (
    <ConfirmDialog
      open={leave !== null}
      onOpenChange={(open) => !open && setLeave(null)}
      title="Leave without saving?"
      confirm="Discard changes"
      onConfirm={() => {
        isLeaving.current = true;
        discardOpenDrafts();
        leave?.();
      }}
    >
      What you have changed here is not saved, and is lost when you leave.
    </ConfirmDialog>
  );
}
