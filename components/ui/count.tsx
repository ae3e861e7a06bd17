/** Count: a number shortened for reading (5.0 M), with all its digits on hover. */
import { formatCount, formatNumber } from "./format.ts";

export function Count({ value, className }: { value: number; className?: string }) {
  const short = formatCount(value);
  const full = formatNumber(value);
  return (
    <span className={className ?? "tabular-nums"} title={short === full ? undefined : full}>
      {short}
    </span>
  );
}
