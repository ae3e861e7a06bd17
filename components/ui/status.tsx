/**
 * Status: an icon of its own shape, a word and a colour, so that none of them carries the meaning alone.
 * Circle with a tick: ok. Triangle: warning. Octagon with a cross: critical. Broken circle: stalled.
 * `hideWord` keeps the word for screen readers only, for columns whose head says what they hold.
 */
import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";

export type StatusKind = "ok" | "warning" | "critical" | "stalled" | "neutral" | "running";

const looks: Record<StatusKind, { icon: LucideIcon; colour: string }> = {
  ok: { icon: CircleCheck, colour: "text-ok" },
  warning: { icon: TriangleAlert, colour: "text-warning" },
  critical: { icon: OctagonX, colour: "text-critical" },
  stalled: { icon: CircleDashed, colour: "text-stalled" },
  neutral: { icon: CircleMinus, colour: "text-ink-3" },
  running: { icon: LoaderCircle, colour: "text-accent" },
};

export function Status({
  kind,
  icon,
  hideWord = false,
  className,
  children,
}: {
  kind: StatusKind;
  /** A shape of its own, where several words are of one kind. */
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
        looks[kind].colour,
        className,
      )}
    >
      <StatusIcon kind={kind} {...(icon && { icon })} />
      <span className={hideWord ? "sr-only" : undefined}>{children}</span>
    </span>
  );
}

/** The shape alone, where the word stands somewhere else. */
export function StatusIcon({
  kind,
  icon,
  className,
}: {
  kind: StatusKind;
  icon?: LucideIcon;
  className?: string;
}) {
  const { icon: usual, colour } = looks[kind];
  const Icon = icon ?? usual;
  return (
    <Icon
      aria-hidden
      className={cn("size-4 shrink-0", colour, kind === "running" && "animate-spin", className)}
    />
  );
}

/** The text colour of a status, for a figure that has its Status beside it. */
export function statusColour(kind: StatusKind): string {
  return looks[kind].colour;
}
