"use client";
/**
 * BulkBar: what can be done with the selected rows, at the bottom of the window. `all` is how many match the filters,
 * and `onSelectAll` selects them, up to `most`.
 */
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { formatNumber } from "./format.ts";
import { X } from "./icons.tsx";
import { toastsAbove } from "./toasts-above.ts";

export function BulkBar({
  count,
  all,
  most,
  onSelectAll,
  isSelecting,
  onClear,
  children,
}: {
  count: number;
  all: number;
  most: number;
  onSelectAll: () => void;
  isSelecting: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  const reach = Math.min(all, most);
  return (
    <section
      ref={toastsAbove}
      aria-label="Selected rows"
      className="sticky bottom-3 z-10 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border bg-surface px-3 py-2 shadow-lg"
    >
      <span className="font-medium tabular-nums" role="status">
        {formatNumber(count)} selected
      </span>
      {count < reach && (
        <Button variant="ghost" pending={isSelecting} onClick={onSelectAll}>
          {all > most
            ? `Select the first ${formatNumber(most)} of ${formatNumber(all)}`
            : `Select all ${formatNumber(all)}`}
        </Button>
      )}
      <span className="flex flex-wrap items-center gap-2">{children}</span>
      <Button variant="ghost" size="icon" icon={X} aria-label="Clear the selection" onClick={onClear} />
    </section>
  );
}
