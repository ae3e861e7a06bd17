/**
 * Status: an icon with its own shape, a word, and a color, so that the meaning never depends on only one of them.
 * Circle with a tick: ok. Triangle: warning. Octagon with a cross: critical. Broken circle: stalled.
 * `hideWord` keeps the word for screen readers only, for columns whose heading already says it.
 */

import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  TriangleAlert,
} from "./icons.tsx";

export type StatusKind = "ok" | "warning" | "critical" | "stalled" | "neutral" | "running";

const looks: Record<StatusKind, { icon: LucideIcon; color: string }> = {
  ok: { icon: CircleCheck, color: "text-ok" },
  warning: { icon: TriangleAlert, color: "text-warning" },
  critical: { icon: OctagonX, color: "text-critical" },
  stalled: { icon: CircleDashed, color: "text-stalled" },
  neutral: { icon: CircleMinus, color: "text-ink-3" },
  running: { icon: LoaderCircle, color: "text-accent" },
};

export function Status({
  kind,
  icon,
  hideWord = false,
  className,
  children,
}: {
  kind: StatusKind;
  /** A different icon, if several statuses share a kind. */
  icon?: LucideIcon;
  hideWord?: boolean;
  className?: string;
  /** The word. */
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1.5 align-middle whitespace-nowrap",
        looks[kind].color,
        className,
      )}
    >
      <StatusIcon kind={kind} {...(icon && { icon })} />
      <span className={hideWord ? "sr-only" : undefined}>{children}</span>
    </span>
  );
}

/** The icon alone, if the word is shown elsewhere. */
export function StatusIcon({
  kind,
  icon,
  className,
}: {
  kind: StatusKind;
  icon?: LucideIcon;
  className?: string;
}) {
  const { icon: usual, color } = looks[kind];
  const Icon = icon ?? usual;
  return (
    <Icon
      aria-hidden
      className={cn("size-4 shrink-0", color, kind === "running" && "animate-spin", className)}
    />
  );
}

/** The text color of a status, for a figure with its Status next to it. */
export function statusColor(kind: StatusKind): string {
  return looks[kind].color;
}
