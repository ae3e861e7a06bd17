import { cn } from "../ui/class-names.ts";
import { formatCount } from "../ui/format.ts";

/** A count next to a page's link; in the collapsed navigation, a dot on its icon. */
export function CountBadge({
  count,
  narrow,
  word = "pending",
}: {
  count: number;
  narrow: boolean;
  /** What is counted, for screen readers. */
  word?: "pending" | "failed" | "failing" | "needs attention" | "need attention";
}) {
  if (count === 0) return null;
  return (
    <span
      className={cn(
        word === "failed" ? "bg-critical-soft text-critical" : "bg-warning-soft text-warning",
        "tabular-nums",
        narrow
          ? "absolute -top-0.5 -right-0.5 min-w-4 rounded-full px-1 text-center text-[10px] leading-4"
          : "ml-auto rounded-sm px-1.5 text-xs leading-5",
      )}
    >
      {formatCount(count)}
      <span className="sr-only"> {word}</span>
    </span>
  );
}
