import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { EyeOff, TriangleAlert } from "./icons.tsx";

export type Cell = string | number | boolean | null;

/** Some rows of a result under a line that says what they are; columns that are masked or in doubt say so. */
export function MaskedRows({
  title,
  extent,
  label,
  columns,
  rows,
  maskedColumns,
  doubtedColumns = [],
  newRows,
  note,
}: {
  title: string;
  /** How many rows out of how many. */
  extent: ReactNode;
  /** Accessible name, for users who don't see the title next to it. */
  label: string;
  columns: readonly { name: string; type: string }[];
  rows: readonly (readonly Cell[])[];
  maskedColumns: readonly string[];
  /** Whose values are in doubt. */
  doubtedColumns?: readonly string[];
  /** The indexes of rows that are marked as new; omitted if this is unknown. */
  newRows?: readonly number[] | undefined;
  /** Buttons at the end of the line. */
  note?: ReactNode;
}) {
  const isMasked = (name: string) => maskedColumns.includes(name);
  const hasMarks = newRows !== undefined && newRows.length > 0;
  const isDoubted = (place: number) => doubtedColumns.includes(columns[place]?.name ?? "");
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        {title}
        <span className="font-normal text-ink-3 tabular-nums">{extent}</span>
        {maskedColumns.length > 0 && (
          <span className="inline-flex items-center gap-1 font-normal text-ink-3">
            <EyeOff aria-hidden className="size-3" /> Personal data and secrets are masked.
          </span>
        )}
        {note}
      </h3>
      <Scrolling label={label}>
        <table className="w-max min-w-full border-collapse text-xs">
          <thead className="sticky top-0 bg-canvas text-left text-ink-3">
            <tr>
              {hasMarks && (
                <th scope="col" className="h-7 w-0 border-b px-2 font-medium whitespace-nowrap">
                  <span className="sr-only">Since the run before</span>
                </th>
              )}
              {columns.map(({ name, type }, place) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a result may have two columns with the same name
                  key={place}
                  scope="col"
                  title={type}
                  className="h-7 border-b px-2 font-medium whitespace-nowrap"
                >
                  <span className={cn("font-mono", isDoubted(place) && "text-ink")}>{name}</span>
                  {isDoubted(place) && (
                    <span className="ml-1.5 inline-flex items-center align-middle gap-0.5 font-normal text-warning">
                      <TriangleAlert aria-hidden className="size-3" /> in doubt
                    </span>
                  )}
                  {isMasked(name) && (
                    <span className="ml-1.5 inline-flex items-center align-middle gap-0.5 font-normal">
                      <EyeOff aria-hidden className="size-3" /> masked
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="font-mono">
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sample rows are identified only by their position
              <tr key={place} className="border-b border-line last:border-b-0">
                {hasMarks && (
                  <td className="h-7 px-2 font-sans font-medium text-accent">
                    {newRows.includes(place) && "new"}
                  </td>
                )}
                {row.map((cell, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    key={column}
                    title={typeof cell === "string" && cell.length > 40 ? cell : undefined}
                    className={cn(
                      "h-7 max-w-72 truncate px-2",
                      typeof cell === "number" && "tabular-nums",
                      (cell === null || isMasked(columns[column]?.name ?? "")) && "text-ink-3",
                      isDoubted(column) &&
                        "bg-warning-soft font-medium text-ink outline-1 outline-offset-[-2px] outline-warning outline-dashed",
                    )}
                  >
                    {cellText(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </div>
  );
}

/** Focusable, so that rows wider than the container can be scrolled with the keyboard. */
function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
      tabIndex={0}
      className="row-focus max-h-80 overflow-auto rounded-md border bg-canvas"
    >
      {children}
    </section>
  );
}

/** A value as it is shown among others. */
export function cellText(cell: Cell): string {
  if (cell === null) return "NULL";
  return cell === "" ? "(empty)" : String(cell);
}
