/** Badge: a short label that isn't a status ("View", "disabled"). For a status, use Status. */
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";

const tones = {
  neutral: "border-line bg-sunken text-ink-2",
  accent: "border-transparent bg-accent-soft text-accent",
  ok: "border-transparent bg-ok-soft text-ok",
  warning: "border-transparent bg-warning-soft text-warning",
  critical: "border-transparent bg-critical-soft text-critical",
  stalled: "border-transparent bg-stalled-soft text-stalled",
};

export function Badge({
  tone = "neutral",
  className,
  children,
}: {
  tone?: keyof typeof tones;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        "inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 align-middle text-xs whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
