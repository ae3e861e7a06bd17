import { cn } from "@/components/ui/class-names.ts";
import { formatNumber, plural } from "@/components/ui/format.ts";
import type { ColumnFigures } from "@/server/catalog/schema.ts";
import { barWords, histogramWords } from "./histogram-words.ts";

type Histogram = NonNullable<ColumnFigures["histogram"]>;

/** How a column's numbers or times are spread: one bar for each range, with its rows on hover. */
export function ValueHistogram({
  histogram,
  column,
  size = "large",
}: {
  histogram: Histogram;
  column: string;
  size?: "small" | "large";
}) {
  const { bars, below, above } = histogram;
  const most = Math.max(1, ...bars.map(({ rows }) => rows));
  return (
    <figure className={size === "small" ? "w-28" : "flex max-w-xl flex-col gap-1"}>
      <div
        role="img"
        aria-label={histogramWords(column, histogram)}
        className={cn("flex items-end gap-px border-b", size === "small" ? "h-6" : "h-24")}
      >
        {bars.map((bar) => (
          <span
            key={bar.from}
            title={barWords(bar, histogram)}
            className="group flex h-full flex-1 items-end"
          >
            <span
              className="w-full rounded-t-[1px] bg-accent/70 group-hover:bg-accent"
              style={{ height: bar.rows === 0 ? 0 : `max(1px, ${(bar.rows / most) * 100}%)` }}
            />
          </span>
        ))}
      </div>
      {size === "large" && (
        <figcaption className="flex justify-between gap-4 font-mono text-xs text-ink-3 tabular-nums">
          <span>{barWords(bars[0], histogram, "from")}</span>
          {below + above > 0 && (
            <span className="font-sans">
              {[below > 0 && `${plural(below, "row")} below`, above > 0 && `${formatNumber(above)} above`]
                .filter(Boolean)
                .join(", ")}
            </span>
          )}
          <span>{barWords(bars.at(-1), histogram, "to")}</span>
        </figcaption>
      )}
    </figure>
  );
}
