"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import { discardOpenDrafts } from "@/components/drafts/open-drafts.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";

/** The part of the Navigation API used here; not every browser has it. */
type NavigateEvent = Event & { navigationType: string; cancelable: boolean; destination: { key: string } };
type Navigation = EventTarget & {
  traverseTo(key: string): { committed: Promise<unknown>; finished: Promise<unknown> };
};

/** Asks for confirmation before the surrounding form's changes are lost. */
export function LeaveGuard() {
  const { isDirty, isSubmitting } = useFormContext().formState;
  return <ChangesGuard isAtStake={isDirty && !isSubmitting} />;
}

/**
 * Asks for confirmation before unsaved changes are lost: on links within the console, on Back and Forward where the
 * browser allows it, and, with the browser's own prompt, when closing the tab.
 */
export function ChangesGuard({ isAtStake }: { isAtStake: boolean }) {
  const router = useRouter();
  const [leave, setLeave] = useState<(() => void) | null>(null);
  /** The user has confirmed, so don't block anything anymore. */
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
        // If the navigation fails, the page simply stays.
        committed?.catch(() => {});
        finished?.catch(() => {});
      });
    };
    window.addEventListener("beforeunload", holdUnload);
    // In the capture phase, before React's own listeners would follow the link.
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
      Your changes here are not saved and will be lost if you leave.
    </ConfirmDialog>
  );
}
