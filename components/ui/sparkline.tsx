/**
 * Sparkline: a small inline chart, oldest first; null leaves a gap.
 * It only shows a shape, so describe it in `label` and show the exact numbers elsewhere.
 */
import { cn } from "./class-names.ts";
import { linePath } from "./line-path.ts";
import { statusColor } from "./status.tsx";

export function Sparkline({
  values,
  label,
  variant = "line",
  min,
  max,
  threshold,
  marked = [],
  width = 80,
  height = 20,
  className,
}: {
  values: readonly (number | null)[];
  label: string;
  variant?: "line" | "bars";
  /** Ends of the scale; default to the range of the values (bars start at 0). */
  min?: number;
  max?: number;
  /** A dashed horizontal line. */
  threshold?: number;
  /** The indexes of values that stand out, such as anomalies. */
  marked?: readonly number[];
  width?: number;
  height?: number;
  className?: string;
}) {
  const present = values.filter((value) => value !== null);
  const low = min ?? (variant === "bars" ? 0 : Math.min(...present));
  const high = max ?? Math.max(...present);
  const pad = 2;
  const y = (value: number) =>
    high === low ? height / 2 : height - pad - ((value - low) / (high - low)) * (height - 2 * pad);
  const step = values.length > 1 ? (width - 2 * pad) / (values.length - 1) : 0;
  const x = (index: number) => (values.length > 1 ? pad + index * step : width / 2);
  const last = values.findLastIndex((value) => value !== null);
  const lastValue = values[last];

  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={cn("shrink-0 overflow-visible text-ink-3", className)}
    >
      {threshold !== undefined && present.length > 0 && (
        <line
          x1={0}
          x2={width}
          y1={y(threshold)}
          y2={y(threshold)}
          stroke="var(--control)"
          strokeDasharray="2 3"
        />
      )}
      {variant === "line" ? (
        <>
          <path d={linePath(values, x, y)} fill="none" stroke="currentColor" strokeWidth={1.25} />
          {marked.map((index) => {
            const value = values[index];
            return (
              typeof value === "number" && (
                <circle
                  key={index}
                  cx={x(index)}
                  cy={y(value)}
                  r={2}
                  className={statusColor("warning")}
                  fill="currentColor"
                />
              )
            );
          })}
          {typeof lastValue === "number" && !marked.includes(last) && (
            <circle cx={x(last)} cy={y(lastValue)} r={2} fill="var(--accent)" />
          )}
        </>
      ) : (
        values.map((value, index) => {
          const slot = width / values.length;
          // A zero bar keeps a hairline, to distinguish it from a missing value.
          const tall = value === null ? 0 : Math.max(1, height - pad - y(value) + pad);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
              key={index}
              x={index * slot + slot * 0.1}
              width={Math.max(1, slot * 0.8)}
              y={height - tall}
              height={tall}
              fill="currentColor"
            />
          );
        })
      )}
    </svg>
  );
}
