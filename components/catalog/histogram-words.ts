import { formatNumber, plural } from "@/components/ui/format.ts";
import type { ColumnFigures } from "@/server/catalog/schema.ts";

type Histogram = NonNullable<ColumnFigures["histogram"]>;
type Bar = Histogram["bars"][number];

/** What a bar stands for: `5 to 10: 12 rows`. With a side, only that end of its range. */
export function barWords(bar: Bar | undefined, { of, bars }: Histogram, side?: "from" | "to"): string {
  if (!bar) return "";
  const write = of === "moment" ? momentWriter(bars) : numberWriter(bars);
  if (side) return write(bar[side]);
  const range = bar.from === bar.to ? write(bar.from) : `${write(bar.from)} to ${write(bar.to)}`;
  return `${range}: ${plural(bar.rows, "row")}`;
}

/** The whole picture in a sentence, for those who do not see it. */
export function histogramWords(column: string, histogram: Histogram): string {
  const { bars, below, above } = histogram;
  const shown = bars.filter(({ rows }) => rows > 0).map((bar) => barWords(bar, histogram));
  return [
    `Rows by ${column}. ${shown.join("; ")}.`,
    below > 0 && `${plural(below, "row")} far below.`,
    above > 0 && `${plural(above, "row")} far above.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** With as many decimal places as tell neighboring bars apart. */
function numberWriter(bars: readonly Bar[]): (value: number) => string {
  const width = widthOf(bars);
  const places = width > 0 && width < 10 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(width)))) : 0;
  const isWhole = bars.every(({ from, to }) => Number.isInteger(from) && Number.isInteger(to));
  return (value) => formatNumber(value, isWhole ? 0 : places);
}

const day = 24 * 60 * 60 * 1000;

/** By day, or with the time if the bars are shorter than a day. */
function momentWriter(bars: readonly Bar[]): (value: number) => string {
  const length = widthOf(bars) < day && bars.length > 1 ? 16 : 10;
  return (value) => new Date(value).toISOString().slice(0, length).replace("T", " ");
}

const widthOf = ([first]: readonly Bar[]) => (first ? first.to - first.from : 0);
