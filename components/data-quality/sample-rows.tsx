import { EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { formatNumber } from "@/components/ui/format.ts";
import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { Samples } from "@/server/data-quality/schema.ts";

/** Rows that a rule fails for, as many as were kept, and how many there are; masked columns say so. */
export function SampleRows({
  samples,
  type,
  of,
}: {
  samples: Samples;
  type: RuleType;
  /** The rule's name. */
  of: string;
}) {
  const { columns, rows, maskedColumns, totalFailing } = samples;
  const isMasked = (name: string) => maskedColumns.includes(name);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs font-semibold text-ink-2">
        {type === "Uniqueness" ? "Values that come more than once" : "Failing rows"}
        <span className="font-normal text-ink-3 tabular-nums">{extentOf(rows.length, totalFailing)}</span>
        {maskedColumns.length > 0 && (
          <span className="inline-flex items-center gap-1 font-normal text-ink-3">
            <EyeOff aria-hidden className="size-3" /> Personal data and secrets are masked.
          </span>
        )}
      </h3>
      <Scrolling label={`Failing rows of ${of}`}>
        <table className="w-max min-w-full border-collapse text-xs">
          <thead className="sticky top-0 bg-canvas text-left text-ink-3">
            <tr>
              {columns.map(({ name, type: columnType }, place) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: a sample may have two columns of one name
                  key={place}
                  scope="col"
                  title={columnType}
                  className="h-7 border-b px-2 font-medium whitespace-nowrap"
                >
                  <span className="font-mono">{name}</span>
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

function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // The focus lets the keyboard scroll rows that are wider than their place.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-auto rounded-md border bg-canvas">
      {children}
    </section>
  );
}

/** "20 of 312", or how many are shown where it is not known how many there are. */
export function extentOf(shown: number, total: number | null): string {
  if (total === null || total < shown) return `${formatNumber(shown)} shown`;
  return total === shown ? `all ${formatNumber(total)}` : `${formatNumber(shown)} of ${formatNumber(total)}`;
}

function cellText(cell: Samples["rows"][number][number]): string {
  if (cell === null) return "NULL";
  return cell === "" ? "(empty)" : String(cell);
}
