import { EyeOff } from "lucide-react";
import { cn } from "@/components/ui/class-names.ts";
import { plural } from "@/components/ui/format.ts";
import type { Evidence } from "@/server/actors/schema.ts";

/** The first rows that a proposed SQL finds; masked columns say so. */
export function EvidenceRows({ evidence, of }: { evidence: Evidence; of: string }) {
  const { columns = [], rows = [], truncated, maskedColumns = [], omittedColumns = 0 } = evidence;
  const isMasked = (name: string) => maskedColumns.includes(name);
  if (rows.length === 0)
    return <p className="text-ink-2">It finds no row now, which is what a check hopes for.</p>;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        What it finds now
        <span className="font-normal text-ink-3 tabular-nums">
          {truncated ? `the first ${plural(rows.length, "row")}` : plural(rows.length, "row")}
        </span>
        {omittedColumns > 0 && (
          <span className="font-normal text-ink-3">{plural(omittedColumns, "further column")} not shown</span>
        )}
        {maskedColumns.length > 0 && (
          <span className="inline-flex items-center gap-1 font-normal text-ink-3">
            <EyeOff aria-hidden className="size-3" /> Personal data and secrets are masked.
          </span>
        )}
      </h3>
      {/* The focus lets the keyboard scroll rows that are wider than their place. */}
      <section
        aria-label={`Rows of ${of}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
        tabIndex={0}
        className="row-focus max-h-72 overflow-auto rounded-md border bg-canvas"
      >
        <table className="w-max min-w-full border-collapse text-xs">
          <thead className="sticky top-0 bg-canvas text-left text-ink-3">
            <tr>
              {columns.map(({ name, type }, place) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a result may have two columns of one name
                  key={place}
                  scope="col"
                  title={type}
                  className="h-7 border-b px-2 font-medium whitespace-nowrap"
                >
                  <span className="font-mono">{name}</span>
                  {isMasked(name) && (
                    <span className="ml-1.5 inline-flex items-center gap-0.5 align-middle font-normal">
                      <EyeOff aria-hidden className="size-3" /> masked
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="font-mono">
            {rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a sample have no identity but their place
              <tr key={place} className="border-b border-line last:border-b-0">
                {row.map((cell, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    key={column}
                    title={typeof cell === "string" && cell.length > 40 ? cell : undefined}
                    className={cn(
                      "h-7 max-w-72 truncate px-2",
                      typeof cell === "number" && "tabular-nums",
                      (cell === null || isMasked(columns[column]?.name ?? "")) && "text-ink-3",
                    )}
                  >
                    {cell === null ? "NULL" : cell === "" ? "(empty)" : String(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
