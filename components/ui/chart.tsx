"use client";
/**
 * Chart: the frame of a time chart, oldest on the left. It measures itself, reports the point nearest the pointer,
 * and can act as a slider: the arrow keys, Home, and End move between points and show their values, and a click
 * selects one.
 *
 *   const [frame, plot] = usePlot(inner);
 *   const [hovered, setHovered] = useState<number | null>(null);
 *   <Chart frame={frame} plot={plot} places={points.map((_, index) => x(index))} onHover={setHovered} …>
 *     <Gridlines …/><ThresholdLine …/><ValueLine …/><LastValue …/><TimeLabels …/>
 *   </Chart>
 *
 * The drawing is visual only. The exact values belong in the slider's text, in `label`, or in a table next to it.
 */
import type { ReactNode, RefObject } from "react";
import { cn } from "./class-names.ts";
import { linePath } from "./line-path.ts";
import { axisLabel, nearest } from "./time-scale.ts";
import { useSize } from "./use-size.ts";

/** Padding around the plot for labels, in pixels. */
export type Inner = { top: number; right: number; bottom: number; left: number };

/** The plot area, in pixels from the frame's top left corner. `isReady` is true once the size is known. */
export type Plot = {
  isReady: boolean;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** `right - left`, at least 1. */
  breadth: number;
};

export function usePlot(inner: Inner): [RefObject<HTMLDivElement | null>, Plot] {
  const [frame, size] = useSize<HTMLDivElement>();
  const { width, height } = size ?? { width: 0, height: 0 };
  const breadth = Math.max(width - inner.left - inner.right, 1);
  return [
    frame,
    {
      isReady: width > 0,
      ...{ width, height, breadth },
      left: inner.left,
      right: inner.left + breadth,
      top: inner.top,
      bottom: height - inner.bottom,
    },
  ];
}

/** Maps a value to a vertical position: `low` is the bottom of the plot, `high` the top. */
export function verticalScale({ top, bottom }: Pick<Plot, "top" | "bottom">, low: number, high: number) {
  return (value: number) => top + ((high - value) / (high - low)) * (bottom - top);
}

export function Chart({
  frame,
  plot,
  places,
  onHover,
  slider,
  label,
  height,
  className,
  card,
  children,
}: {
  frame: RefObject<HTMLDivElement | null>;
  plot: Plot;
  /** Horizontal positions of the points, in pixels. */
  places: readonly number[];
  /** Called with the point nearest the pointer or selected by the keyboard, and with null when either leaves. */
  onHover: (index: number | null) => void;
  /** For a chart that selects a point. */
  slider?: {
    label: string;
    current: number;
    /** Describes the selected point, with exact values. */
    valueText: string;
    onChoose: (index: number) => void;
    /** Enter on the selected point: goes to what the chart selects. */
    onOpen?: () => void;
  };
  /** Describes the chart when nothing else on the page does. */
  label?: string;
  /** In pixels; set by `className` if omitted. */
  height?: number;
  className?: string;
  /** Shown over the drawing: the values of the hovered point. */
  card?: ReactNode;
  /** The drawing. */
  children: ReactNode;
}) {
  const last = places.length - 1;
  const at = (event: { clientX: number; currentTarget: Element }) =>
    nearest(places, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const choose = (index: number) => slider?.onChoose(Math.min(Math.max(index, 0), last));
  const current = slider?.current ?? last;
  const steps: Record<string, number> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    Home: 0,
    End: last,
  };
  return (
    <div
      ref={frame}
      {...(slider && {
        role: "slider",
        tabIndex: 0,
        "aria-label": slider.label,
        "aria-valuemin": 1,
        "aria-valuemax": places.length,
        "aria-valuenow": current + 1,
        "aria-valuetext": slider.valueText,
        onClick: (event) => choose(at(event)),
        onKeyDown: (event) => {
          if (event.key === "Enter" && slider.onOpen) {
            event.preventDefault();
            slider.onOpen();
          }
          const next = steps[event.key];
          if (next === undefined) return;
          event.preventDefault();
          choose(next);
          onHover(Math.min(Math.max(next, 0), last));
        },
        // The keyboard shows the values of the selected point like the pointer does.
        onFocus: (event) => event.currentTarget.matches(":focus-visible") && onHover(current),
        onBlur: () => onHover(null),
      })}
      className={cn(
        "relative w-full overflow-hidden",
        slider && "cursor-pointer touch-pan-y select-none",
        className,
      )}
      {...(height !== undefined && { style: { height } })}
      onPointerMove={(event) => onHover(at(event))}
      onPointerLeave={() => onHover(null)}
    >
      {plot.isReady && (
        // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden or has a label
        <svg
          {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
          width={plot.width}
          height={plot.height}
          className="absolute inset-0 block text-[11px] text-ink-3"
        >
          {children}
        </svg>
      )}
      {card}
    </div>
  );
}

type Scale = (value: number) => number;

/** Horizontal lines with labels on the left. */
export function Gridlines({
  plot: { left, right },
  values,
  y,
  write = String,
}: {
  plot: Plot;
  values: readonly number[];
  y: Scale;
  write?: (value: number) => string;
}) {
  return values.map((value) => (
    <g key={value}>
      <line x1={left} x2={right} y1={y(value)} y2={y(value)} stroke="var(--line)" />
      <text x={left - 6} y={y(value) + 4} textAnchor="end" fill="var(--ink-3)">
        {write(value)}
      </text>
    </g>
  ));
}

/** A dashed horizontal line: the threshold the values are compared with. */
export function ThresholdLine({ plot: { left, right }, at }: { plot: Plot; at: number }) {
  return <line x1={left} x2={right} y1={at} y2={at} stroke="var(--ink-3)" strokeDasharray="4 3" />;
}

/** A line through the values, with gaps for missing ones. */
export function ValueLine({ values, x, y }: { values: readonly (number | null)[]; x: Scale; y: Scale }) {
  return (
    <path
      d={linePath(values, x, y)}
      fill="none"
      stroke="var(--accent)"
      strokeWidth={1.5}
      strokeLinejoin="round"
    />
  );
}

/** The last value, at the right end of the line. */
export function LastValue({ plot: { right }, y, children }: { plot: Plot; y: number; children: ReactNode }) {
  return (
    <text x={right + 8} y={y + 4} fill="var(--ink)" className="text-xs font-semibold tabular-nums">
      {children}
    </text>
  );
}

/** A vertical line through the hovered point. */
export function Cursor({ plot: { top, bottom }, x }: { plot: Plot; x: number }) {
  return <line x1={x} x2={x} y1={top} y2={bottom} stroke="var(--control)" />;
}

/** Time axis labels: the first is left-aligned, the last right-aligned, the others centered. */
export function TimeLabels({
  plot: { height },
  labels,
  span,
  zone,
}: {
  plot: Plot;
  labels: readonly { x: number; time: number; anchor: "start" | "middle" | "end" }[];
  /** From the first to the last point, in milliseconds. Determines how precise the labels are. */
  span: number;
  zone: string;
}) {
  return labels.map(({ x, time, anchor }) => (
    <text key={x} x={x} y={height - 4} textAnchor={anchor} fill="var(--ink-3)">
      {axisLabel(time, span, zone)}
    </text>
  ));
}

/** A diamond in the critical color: a failed point. */
export function FailureMark({
  x,
  y,
  size,
  className,
}: {
  x: number;
  y: number;
  size: number;
  className: string;
}) {
  return (
    <path
      d={`M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`}
      fill="currentColor"
      className={className}
    />
  );
}

/** The exact values of the hovered point, next to it and within the chart's width. */
export function ChartCard({
  left,
  within,
  width,
  children,
}: {
  /** The point's horizontal position. */
  left: number;
  within: number;
  width: number;
  children: ReactNode;
}) {
  const fitsRight = left + 12 + width <= within;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-10 flex flex-col gap-0.5 rounded-md border bg-surface px-2 py-1.5 text-xs shadow-float"
      style={{ width, left: fitsRight ? left + 12 : Math.max(left - 12 - width, 0) }}
    >
      {children}
    </div>
  );
}
