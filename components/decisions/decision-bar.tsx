"use client";
import type { ReactNode } from "react";
import { toastsAbove } from "../ui/toasts-above.ts";

/** The decision, pending or made; stays visible while scrolling. */
export function DecisionBar({ children }: { children: ReactNode }) {
  return (
    <section
      ref={toastsAbove}
      aria-label="Decision"
      className="sticky bottom-0 z-20 -mx-4 mt-8 border-t bg-canvas px-4 py-3 sm:-mx-6 sm:px-6"
    >
      {children}
    </section>
  );
}
