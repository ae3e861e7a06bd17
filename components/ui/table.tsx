/**
 * Table parts: 32 px rows between hairlines, numbers right-aligned in tabular figures. The table extends 8 px
 * beyond its container on both sides, so that the first column's text lines up with the page title.
 *
 *   <Table label="Contracts">
 *     <Thead><tr><Th>Name</Th><Th numeric sort={{ direction: "desc", onSort }}>Score</Th></tr></Thead>
 *     <tbody><Tr><Td>…</Td><Td numeric>82.35</Td></Tr></tbody>
 *   </Table>
 *
 * `Th sort.direction` is null while another column is sorted. Add `useRowKeys` for j, k, and Enter.
 */

import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "./icons.tsx";

export function Table({
  label,
  rows,
  className,
  children,
}: {
  /** The table's accessible name. */
  label: string;
  /** How many there are, if perhaps not all of them are drawn. */
  rows?: number;
  className?: string;
  children: ReactNode;
}) {
  return (
    // Focusable, so that a table wider than its container can be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section className="-mx-2 overflow-x-auto" aria-label={label} tabIndex={0}>
      <table
        aria-rowcount={rows === undefined ? undefined : rows + 1}
        className={cn("w-full border-collapse text-sm", className)}
      >
        {children}
      </table>
    </section>
  );
}

export function Thead({ children }: { children: ReactNode }) {
  return <thead className="text-left text-xs text-ink-3">{children}</thead>;
}

export type Sort = { direction: "asc" | "desc" | null; onSort: () => void };

export function Th({
  numeric = false,
  sort,
  className,
  children,
  ...rest
}: ComponentProps<"th"> & { numeric?: boolean; sort?: Sort }) {
  const Arrow = sort?.direction === "asc" ? ArrowUp : sort?.direction === "desc" ? ArrowDown : ChevronsUpDown;
  return (
    <th
      scope="col"
      {...rest}
      {...(sort?.direction && { "aria-sort": sort.direction === "asc" ? "ascending" : "descending" })}
      className={cn("h-8 border-b px-2 font-medium whitespace-nowrap", numeric && "text-right", className)}
    >
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className={cn(
            "inline-flex items-center gap-1 rounded-sm hover:text-ink",
            numeric && "flex-row-reverse",
            sort.direction && "text-ink",
          )}
        >
          {children}
          <Arrow aria-hidden className={cn("size-3", !sort.direction && "opacity-60")} />
        </button>
      ) : (
        children
      )}
    </th>
  );
}

export function Tr({
  selected = false,
  lead,
  className,
  children,
  ...rest
}: ComponentProps<"tr"> & {
  selected?: boolean;
  /** A cell before the others, which a list that selects rows gives them. */
  lead?: ReactNode;
  "data-opens"?: boolean;
}) {
  return (
    <tr
      {...rest}
      aria-selected={selected || undefined}
      className={cn(
        "row-focus border-b border-line hover:bg-hover data-opens:cursor-pointer",
        className,
        selected && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      {lead}
      {children}
    </tr>
  );
}

export function Td({
  numeric = false,
  truncate = false,
  className,
  ...rest
}: ComponentProps<"td"> & {
  numeric?: boolean;
  /** Keeps to one line with an ellipsis; give the cell a width. */
  truncate?: boolean;
}) {
  return (
    <td
      {...rest}
      className={cn(
        "h-8 px-2 py-0.5 align-middle",
        numeric && "text-right tabular-nums whitespace-nowrap",
        truncate && "max-w-0 truncate",
        className,
      )}
    />
  );
}
