"use client";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { isTypingElsewhere } from "./keyboard.ts";

/** A row that was scrolled to is drawn within a few frames. */
function focusOnceDrawn(row: () => HTMLElement | null | undefined, frames = 20): void {
  const found = row();
  if (found) found.focus();
  else if (frames > 0) requestAnimationFrame(() => focusOnceDrawn(row, frames - 1));
}

/** Identifies a row in the list. */
export type RowKey = number | string;

/** Props for a row's `Tr`. */
export type RowProps = ReturnType<ReturnType<typeof useRowKeys>["row"]> & {
  /** In a list that selects rows, for `Tr`. */
  lead?: ReactNode;
  selected?: boolean;
};

/**
 * Moves through rows with j and k (or the arrow keys, once a row has focus). Enter opens a row, and so does a click
 * on it unless it hit a link, a button, or selected text.
 *
 *   const keys = useRowKeys({ count: items.length, onOpen: (index) => … });
 *   <Tr {...keys.row(index)}>
 *
 * `ids` identify the rows, so that the active one stays the same when the order changes. `reveal` scrolls to a row that
 * is not drawn, in a list that draws only some.
 *
 * One list per page, since j and k work wherever the focus is.
 */
export function useRowKeys({
  count,
  ids,
  onOpen,
  onToggle,
  reveal,
}: {
  count: number;
  ids?: readonly RowKey[];
  onOpen?: (index: number) => void;
  /** Selects a row, with x. */
  onToggle?: (index: number) => void;
  reveal?: (index: number) => void;
}) {
  const rows = useRef<(HTMLElement | null)[]>([]);
  const [active, setActive] = useState<{ index: number; id: RowKey | undefined }>({
    index: 0,
    id: undefined,
  });
  const known = ids && active.id !== undefined ? ids.indexOf(active.id) : -1;
  const current = known >= 0 ? known : Math.min(active.index, Math.max(count - 1, 0));

  useEffect(() => {
    const step = (event: globalThis.KeyboardEvent) => {
      const key = event.key;
      if ((key !== "j" && key !== "k") || isTypingElsewhere(event) || count === 0) return;
      event.preventDefault();
      const inList = rows.current.includes(document.activeElement as HTMLElement);
      // The first press re-enters the list where it was left.
      const next = inList ? current + (key === "j" ? 1 : -1) : current;
      const target = Math.min(Math.max(next, 0), count - 1);
      if (!rows.current[target]) reveal?.(target);
      focusOnceDrawn(() => rows.current[target]);
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
  }, [count, current, reveal]);

  return {
    active: current,
    row: (index: number) => ({
      ref: (element: HTMLTableRowElement | null) => {
        rows.current[index] = element;
      },
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setActive({ index, id: ids?.[index] }),
      onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === "Enter" && onOpen) {
          event.preventDefault();
          onOpen(index);
        }
        if (event.key === "x" && onToggle) {
          event.preventDefault();
          onToggle(index);
        }
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          rows.current[index + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
        }
      },
      ...(onOpen && {
        onClick: (event: MouseEvent<HTMLTableRowElement>) => {
          const target = event.target as HTMLElement;
          // React also bubbles clicks from portaled menus and dialogs to the row that opened them.
          if (!event.currentTarget.contains(target)) return;
          if (target.closest("a, button, input, label, summary, [role=switch]")) return;
          if (!window.getSelection()?.toString()) onOpen(index);
        },
        "data-opens": true,
      }),
    }),
  };
}
