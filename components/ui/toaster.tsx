"use client";
/**
 * Toaster: once, in the root layout. Say `toast.success("Saved")` after something has worked. What draws toasts is
 * loaded with the first of them, so that a page on which nothing was done goes without.
 */
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import type { ExternalToast, toast as Say } from "sonner";

const Toasts = lazy(() => import("./toasts.tsx").then((module) => ({ default: module.Toasts })));

type Act = (say: typeof Say) => void;

/** What is said before there is anything to say it with. */
const waiting: Act[] = [];
let say: typeof Say | undefined;
let isWanted = false;
let wake: () => void = () => {};

function act(what: Act): void {
  if (say) what(say);
  else {
    waiting.push(what);
    isWanted = true;
    wake();
  }
}

function begin(ready: typeof Say): void {
  say = ready;
  for (const what of waiting.splice(0)) what(ready);
}

export const toast = Object.assign(
  (title: ReactNode, more?: ExternalToast) => act((own) => void own(title, more)),
  {
    success: (title: ReactNode, more?: ExternalToast) => act((own) => void own.success(title, more)),
    error: (title: ReactNode, more?: ExternalToast) => act((own) => void own.error(title, more)),
    /** Takes away all that is shown. */
    dismiss() {
      waiting.length = 0;
      say?.dismiss();
    },
  },
);

function subscribe(listener: () => void): () => void {
  wake = listener;
  return () => {
    wake = () => {};
  };
}

export function Toaster() {
  const isNeeded = useSyncExternalStore(
    subscribe,
    () => isWanted,
    () => false,
  );
  return (
    isNeeded && (
      <Suspense>
        <Toasts onReady={begin} />
      </Suspense>
    )
  );
}
