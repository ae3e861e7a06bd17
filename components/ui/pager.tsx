"use client";
import { useEffect } from "react";
import { Button } from "./button.tsx";
import { formatNumber } from "./format.ts";
/** Pager: which part of a long list is shown, with buttons for the next (n) and previous (p) page. */
import { ChevronLeft, ChevronRight } from "./icons.tsx";
import { isTypingElsewhere } from "./keyboard.ts";

export function Pager({
  page,
  pageSize,
  total,
  onPageChange,
  previous = "Previous",
  next = "Next",
}: {
  /** Counts from 0. */
  page: number;
  pageSize: number;
  total: number;
  onPageChange: (page: number) => void;
  /** Button labels. */
  previous?: string;
  next?: string;
}) {
  const last = Math.max(Math.ceil(total / pageSize) - 1, 0);
  const hasPrevious = page > 0;
  const hasNext = page < last;

  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const step = event.key === "n" && hasNext ? 1 : event.key === "p" && hasPrevious ? -1 : 0;
      if (step === 0 || isTypingElsewhere(event)) return;
      event.preventDefault();
      onPageChange(page + step);
    };
    document.addEventListener("keydown", turn);
    return () => document.removeEventListener("keydown", turn);
  }, [page, hasNext, hasPrevious, onPageChange]);

  if (last === 0 && page === 0) return null;
  const first = page * pageSize + 1;
  return (
    <nav aria-label="Pages of the list" className="flex flex-wrap items-center justify-between gap-2 pt-3">
      <span className="text-ink-2 tabular-nums" aria-live="polite">
        {formatNumber(first)}–{formatNumber(Math.min(first + pageSize - 1, total))} of {formatNumber(total)}
      </span>
      <span className="flex gap-2">
        <Button
          icon={ChevronLeft}
          disabled={!hasPrevious}
          aria-keyshortcuts="p"
          title="Key p"
          onClick={() => onPageChange(page - 1)}
        >
          {previous}
        </Button>
        <Button
          disabled={!hasNext}
          aria-keyshortcuts="n"
          title="Key n"
          onClick={() => onPageChange(page + 1)}
        >
          {next}
          <ChevronRight aria-hidden className="size-4 shrink-0" />
        </Button>
      </span>
    </nav>
  );
}
