"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Gap } from "@/components/ui/near-rows.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Preview } from "@/server/queries/schema.ts";
import { columnLooks, textOfCell } from "./result-columns.ts";

const rowHeight = 28;
const headHeight = 44;
const pageOfRows = 12;

type Place = { row: number; column: number };

/**
 * A result's rows, exactly as returned. The arrow keys move between cells, Ctrl-C copies a cell, and the selected
 * cell is shown in full below. Only visible rows are rendered.
 */
export function ResultGrid({
  columns,
  rows,
  marks,
}: Pick<Preview, "columns" | "rows"> & {
  /** Cells missing from the compared result, by row and column: `del` on the old side, `ins` on the new one. */
  marks?: { as: "del" | "ins"; cells: ReadonlyMap<number, ReadonlySet<number>> };
}) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<Place | null>(null);
  const looks = useMemo(() => columnLooks(columns, rows), [columns, rows]);
  const numberWidth = String(rows.length).length * 8 + 20;
  const width = numberWidth + looks.reduce((sum, look) => sum + look.width, 0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: headHeight,
    overscan: 10,
  });
  const drawn = virtual.getVirtualItems();
  const above = drawn[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);

  const choose = (row: number, column: number) => {
    const place = {
      row: Math.min(Math.max(row, 0), rows.length - 1),
      column: Math.min(Math.max(column, 0), columns.length - 1),
    };
    setChosen(place);
    virtual.scrollToIndex(place.row);
    requestAnimationFrame(() =>
      document.getElementById(cellId(id, place))?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
  };
  const walk = (event: KeyboardEvent) => {
    const { row, column } = chosen ?? { row: 0, column: 0 };
    const isCopy = (event.ctrlKey || event.metaKey) && event.key === "c";
    if (isCopy && chosen && !window.getSelection()?.toString()) {
      event.preventDefault();
      void copy(textOfCell(rows[row]?.[column] ?? null));
      return;
    }
    const isFirst = chosen === null;
    const steps: Record<string, [number, number]> = {
      ArrowDown: [row + (isFirst ? 0 : 1), column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + (isFirst ? 0 : 1)],
      ArrowLeft: [row, column - 1],
      PageDown: [row + pageOfRows, column],
      PageUp: [row - pageOfRows, column],
      Home: event.ctrlKey ? [0, 0] : [row, 0],
      End: event.ctrlKey ? [rows.length - 1, columns.length - 1] : [row, columns.length - 1],
    };
    const next = steps[event.key];
    if (!next || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(...next);
  };

  return (
    <div className="overflow-hidden rounded-md border">
      <div
        ref={scroller}
        // The header and the row numbers cover the edges of the scroll area.
        style={{ scrollPaddingLeft: numberWidth, scrollPaddingTop: headHeight }}
        className="max-h-[28rem] overflow-auto has-[table:focus-visible]:outline-2 has-[table:focus-visible]:outline-offset-[-2px] has-[table:focus-visible]:outline-accent"
      >
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: cells can be navigated with keys, so this is a grid
          role="grid"
          aria-label="Rows of the result"
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          aria-activedescendant={chosen ? cellId(id, chosen) : undefined}
          tabIndex={0}
          onKeyDown={walk}
          className="table-fixed border-separate border-spacing-0 text-[13px] outline-none"
          style={{ width }}
        >
          <colgroup>
            <col style={{ width: numberWidth }} />
            {looks.map((look, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and keep their order
              <col key={column} style={{ width: look.width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={cn(headClass, "left-0 z-20 text-right text-ink-3")}>
                <span className="sr-only">Row</span>
              </th>
              {columns.map(({ name, type }, column) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name
                  key={column}
                  scope="col"
                  className={cn(headClass, looks[column]?.isNumeric ? "text-right" : "text-left")}
                >
                  <span className="block truncate font-medium" title={name}>
                    {name}
                  </span>
                  <span className="block truncate font-mono text-[11px] font-normal text-ink-3" title={type}>
                    {type}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap height={above} />
            {drawn.map(({ index }) => (
              <tr key={index} aria-rowindex={index + 2} className="hover:bg-hover">
                <th
                  scope="row"
                  className="sticky left-0 z-10 h-7 border-b bg-sunken px-2 text-right text-xs font-normal text-ink-3 tabular-nums"
                >
                  {index + 1}
                </th>
                {rows[index]?.map((cell, column) => {
                  const isChosen = chosen?.row === index && chosen.column === column;
                  const mark = marks?.cells.get(index)?.has(column) ? marks.as : null;
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has focus and handles the keys
                    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid it is a gridcell
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name
                      key={column}
                      id={cellId(id, { row: index, column })}
                      aria-selected={isChosen}
                      onClick={() => setChosen({ row: index, column })}
                      className={cn(
                        "h-7 cursor-default truncate border-b px-2",
                        looks[column]?.isNumeric && "text-right tabular-nums",
                        mark && markClass[mark],
                        isChosen && "bg-accent-soft outline-2 outline-offset-[-2px] outline-accent",
                      )}
                    >
                      <Marked as={mark}>
                        {cell === null ? <span className="text-ink-3 italic">NULL</span> : textOfCell(cell)}
                      </Marked>
                    </td>
                  );
                })}
              </tr>
            ))}
            <Gap height={below} />
          </tbody>
        </table>
      </div>
      {chosen && <ChosenCell columns={columns} rows={rows} place={chosen} />}
    </div>
  );
}

const headClass = "sticky top-0 z-10 h-11 border-b bg-sunken px-2 py-1 align-middle leading-4";
const cellId = (grid: string, { row, column }: Place) => `${grid}-${row}-${column}`;

/** As in a text diff: in addition to the color, removed is struck through and added is underlined. */
const markClass = {
  del: "bg-critical-soft decoration-critical line-through",
  ins: "bg-ok-soft underline decoration-ok underline-offset-[3px]",
};

function Marked({ as: Mark, children }: { as: "del" | "ins" | null; children: ReactNode }) {
  return Mark ? <Mark className="[text-decoration:inherit]">{children}</Mark> : children;
}

/** The full value of one cell. */
function ChosenCell({ columns, rows, place }: Pick<Preview, "columns" | "rows"> & { place: Place }) {
  const { name, type } = columns[place.column] ?? { name: "", type: "" };
  const cell = rows[place.row]?.[place.column] ?? null;
  return (
    <section aria-label="Chosen cell" className="border-t bg-sunken">
      <div className="flex items-center gap-2 px-2 pt-1 text-xs text-ink-3">
        <span className="min-w-0 truncate">
          Row {formatNumber(place.row + 1)}, <span className="text-ink-2">{name}</span>{" "}
          <span className="font-mono">{type}</span>
        </span>
        <CopyButton text={textOfCell(cell)} label="Copy cell" className="ml-auto" />
      </div>
      <pre className="max-h-40 overflow-auto px-2 pb-2 font-mono text-[13px] break-words whitespace-pre-wrap">
        {cell === null ? <span className="text-ink-3 italic">NULL</span> : textOfCell(cell)}
      </pre>
    </section>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success("Copied the cell");
  } catch {
    toast.error("The browser blocked copying. Select the text below and copy it manually.");
  }
}
