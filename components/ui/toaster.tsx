"use client";
/** Toaster: once, in the root layout. Say `toast.success("Saved")` from sonner after something has worked. */
import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

export { toast } from "sonner";

export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
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
  );
}
