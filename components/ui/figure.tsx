/**
 * Figures: the page's key numbers in a row, separated by hairlines.
 *
 *   <Figures><Figure label="Tables" value="12" /><Figure label="Degrading" value="2" kind="warning" detail="…" /></Figures>
 *
 * With `onPress`, a figure is a filter toggle (`pressed`); with `href`, a link.
 */

import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { Link } from "./link.tsx";
import { StatusIcon, type StatusKind } from "./status.tsx";

export function Figures({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cn(
        "grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none [&>*]:bg-canvas",
        className,
      )}
    >
      {children}
    </div>
  );
}

export function Figure({
  label,
  value,
  detail,
  kind,
  title,
  href,
  onPress,
  pressed,
}: {
  label: ReactNode;
  value: ReactNode;
  /** A line below the number. */
  detail?: ReactNode;
  /** Puts the status icon before the label. */
  kind?: StatusKind;
  /** The exact number, if `value` is abbreviated. */
  title?: string;
  href?: string;
  onPress?: () => void;
  pressed?: boolean;
}) {
  const content = (
    <>
      <span className="flex items-center gap-1.5 text-xs text-ink-2">
        {kind && <StatusIcon kind={kind} className="size-3.5" />}
        <span className="truncate">{label}</span>
      </span>
      <span className="text-2xl leading-8 font-semibold tracking-tight tabular-nums" title={title}>
        {value}
      </span>
      {detail !== undefined && <span className="min-h-4 truncate text-xs text-ink-3">{detail}</span>}
    </>
  );
  const look = "flex min-w-0 flex-col px-3 py-2 text-left";
  if (href)
    return (
      <Link href={href} className={cn(look, "row-focus hover:bg-hover")}>
        {content}
      </Link>
    );
  if (onPress)
    return (
      <button
        type="button"
        onClick={onPress}
        aria-pressed={pressed ?? false}
        className={cn(
          look,
          "row-focus hover:bg-hover",
          pressed && "bg-accent-soft! shadow-[inset_0_-2px_var(--accent)]",
        )}
      >
        {content}
      </button>
    );
  return <div className={look}>{content}</div>;
}
