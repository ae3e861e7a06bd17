/**
 * PageHeader: the title, count, filters, and primary action in one line; on phones, filters go on a second line.
 * `parent` is the way back; `description` is a detail page's line of facts.
 */

import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { ChevronLeft } from "./icons.tsx";
import { Link } from "./link.tsx";

export function PageHeader({
  title,
  mark,
  count,
  parent,
  description,
  filters,
  actions,
}: {
  title: ReactNode;
  /** Right after the title, such as a star. */
  mark?: ReactNode;
  /** For example, "12 sources": muted, after the title. */
  count?: ReactNode;
  parent?: { href: string; label: string };
  description?: ReactNode;
  filters?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-col gap-1 pb-4">
      {parent && (
        <Link
          href={parent.href}
          className="-ml-1 inline-flex items-center gap-0.5 self-start rounded-sm text-xs text-ink-3 hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-3.5" />
          {parent.label}
        </Link>
      )}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-words">{title}</h1>
        {mark}
        {count !== undefined && <span className="text-sm text-ink-3 tabular-nums">{count}</span>}
        {description && <div className="text-sm text-ink-2">{description}</div>}
        {filters && (
          <div className="order-last flex w-full flex-wrap items-center gap-2 sm:order-none sm:ml-auto sm:w-auto sm:justify-end">
            {filters}
          </div>
        )}
        {actions && (
          <div className={cn("ml-auto flex flex-wrap items-center justify-end gap-2", filters && "sm:ml-0")}>
            {actions}
          </div>
        )}
      </div>
    </header>
  );
}
