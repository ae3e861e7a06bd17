"use client";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { isTypingElsewhere } from "./keyboard.ts";

/**
 * Walks a list of rows with j and k (or the arrows, once a row has the focus); Enter opens, and so does a click
 * on the row that did not hit a link, a button or selected text.
 *
 *   const keys = useRowKeys({ count: items.length, onOpen: (index) => … });
 *   <Tr {...keys.row(index)}>
 *
 * `ids` say which row is which: then the active one stays itself when the list comes in another order.
 *
 * One list per page, since j and k work wherever the focus is.
 */
export function useRowKeys({
  count,
  ids,
  onOpen,
}: {
  count: number;
  ids?: readonly number[];
  onOpen?: (index: number) => void;
}) {
  const rows = useRef<(HTMLElement | null)[]>([]);
  const [active, setActive] = useState<{ index: number; id: number | undefined }>({
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
      // The first press enters the list where it was left.
      const next = inList ? current + (key === "j" ? 1 : -1) : current;
      rows.current[Math.min(Math.max(next, 0), count - 1)]?.focus();
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
  }, [count, current]);

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
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
          event.preventDefault();
          rows.current[index + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
        }
      },
      ...(onOpen && {
        onClick: (event: MouseEvent<HTMLTableRowElement>) => {
          const target = event.target as HTMLElement;
          // React also tells the row of clicks in menus and dialogs that it opened, wherever they are drawn.
          if (!event.currentTarget.contains(target)) return;
          if (target.closest("a, button, input, label, summary, [role=switch]")) return;
          if (!window.getSelection()?.toString()) onOpen(index);
        },
        "data-opens": true,
      }),
    }),
  };
}
