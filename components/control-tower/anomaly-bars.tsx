"use client";
import { useState } from "react";
import { Count } from "@/components/ui/count.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { anomalyWords, barsPath, type Day, dayName } from "./anomaly-days.ts";

const width = 84;
const height = 18;

/** Anomalies per day as bars, with the total; hovering shows a day's count, and screen readers get all of them. */
export function AnomalyBars({ days, total }: { days: readonly Day[]; total: number }) {
  const [hovered, setHovered] = useState<number | null>(null);
  const day = hovered === null ? undefined : days[hovered];
  const slot = width / days.length;
  if (total === 0) return <span className="text-ink-3">0</span>;
  return (
    <span className="inline-flex flex-col items-end">
      <span className="flex items-center gap-2">
        <svg
          role="img"
          aria-label={anomalyWords(days)}
          width={width}
          height={height + 1}
          className="text-ink-3"
          onPointerMove={(event) => {
            const offset = event.clientX - event.currentTarget.getBoundingClientRect().left;
            setHovered(Math.min(Math.max(Math.floor(offset / slot), 0), days.length - 1));
          }}
          onPointerLeave={() => setHovered(null)}
        >
          <rect width={width} height={height + 1} fill="transparent" />
          {hovered !== null && (
            <rect x={hovered * slot} width={slot} height={height} fill="var(--accent)" opacity={0.3} />
          )}
          <path d={barsPath(days, width, height)} fill="currentColor" />
          <rect y={height} width={width} height={1} fill="var(--line)" />
        </svg>
        <span className="min-w-6 text-right">
          <Count value={total} />
        </span>
      </span>
      <span aria-hidden className="h-4 text-xs leading-4 text-ink-2">
        {day && `${dayName(day.date)}: ${formatNumber(day.count)}`}
      </span>
    </span>
  );
}
