"use client";
/**
 * Toaster: rendered once, in the root layout. Call `toast.success("Saved")` after an action succeeds. The code that
 * draws toasts loads with the first one, so pages without toasts don't load it.
 */
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import type { ExternalToast, toast as Say } from "sonner";
import { withNames } from "./name.tsx";

const Toasts = lazy(() => import("./toasts.tsx").then((module) => ({ default: module.Toasts })));

type Act = (say: typeof Say) => void;

/** Toasts requested before the code to show them has loaded. */
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
  (title: ReactNode, more?: ExternalToast) => act((own) => void own(withNames(title), more)),
  {
    success: (title: ReactNode, more?: ExternalToast) =>
      act((own) => void own.success(withNames(title), more)),
    error: (title: ReactNode, more?: ExternalToast) => act((own) => void own.error(withNames(title), more)),
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
