"use client";
/** Toasts: draws them; Toaster loads this with the first one. `onReady` is called once it can show them. */
import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster, toast } from "sonner";

export function Toasts({ onReady }: { onReady: (say: typeof toast) => void }) {
  const { resolvedTheme } = useTheme();
  return (
    <>
      <Toaster
        theme={resolvedTheme === "dark" ? "dark" : "light"}
        position="bottom-right"
        // A bar at the bottom of the window raises them (`toasts-above.ts`).
        offset={{ bottom: "var(--toasts-bottom, 24px)" }}
        mobileOffset={{ bottom: "var(--toasts-bottom, 16px)" }}
        toastOptions={{
          style: {
            background: "var(--surface)",
            color: "var(--ink)",
            borderColor: "var(--line)",
            boxShadow: "var(--float)",
            borderRadius: "8px",
            fontFamily: "var(--font-sans)",
          },
          actionButtonStyle: { background: "var(--accent)", color: "var(--accent-ink)" },
          classNames: {
            description: "text-ink-2!",
            icon: "text-accent",
            error: "[&_[data-icon]]:text-critical!",
          },
        }}
      />
      <Ready onReady={onReady} />
    </>
  );
}

/** Its effect runs after the Toaster's, which starts listening in its own. */
function Ready({ onReady }: { onReady: (say: typeof toast) => void }) {
  useEffect(() => onReady(toast), [onReady]);
  return null;
}
