"use client";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { formatPercent, plural } from "@/components/ui/format.ts";
import { TriangleAlert } from "@/components/ui/icons.tsx";
import { cellText } from "@/components/ui/masked-rows.tsx";
import type { Suggestion } from "./suggested-rules.ts";

/** The values of a suggested list with their rows. An unchecked value is not allowed; the last one stays. */
export function SuggestedValues({
  values,
  leftOut,
  disabled = false,
  label,
  onLeaveOut,
}: {
  values: NonNullable<Suggestion["values"]>;
  leftOut: readonly string[];
  disabled?: boolean;
  /** The accessible name of the list. */
  label: string;
  onLeaveOut: (value: string, isLeftOut: boolean) => void;
}) {
  const all = values.reduce((sum, { rows }) => sum + rows, 0);
  const rare = values.filter(({ isRare }) => isRare).length;
  const isLast = values.length - leftOut.length <= 1;
  return (
    <details open={rare > 0} className="w-full text-xs">
      <summary className="cursor-pointer py-1 text-ink-2">
        {plural(values.length - leftOut.length, "allowed value")}
        {leftOut.length > 0 && `, ${leftOut.length} left out`}
        {rare > 0 && `, ${rare} rare`}
      </summary>
      <ul aria-label={label} className="grid max-h-64 gap-x-6 overflow-y-auto pt-1 sm:grid-cols-2">
        {values.map(({ value, rows, isRare }) => {
          const isOut = leftOut.includes(value);
          return (
            <li key={value} className="flex min-h-8 items-center gap-2 border-b border-line">
              <Checkbox
                className="min-w-0 flex-1"
                checked={!isOut}
                disabled={disabled || (isLast && !isOut)}
                onCheckedChange={(checked) => onLeaveOut(value, !checked)}
                label={
                  <span
                    className={`font-mono text-xs break-all ${isOut ? "text-ink-3 line-through" : ""}`}
                    title={value}
                  >
                    {cellText(value)}
                  </span>
                }
              />
              {isRare && (
                <span className="inline-flex shrink-0 items-center gap-1 text-warning">
                  <TriangleAlert aria-hidden className="size-3" /> rare
                </span>
              )}
              <span className="shrink-0 text-right text-ink-2 tabular-nums">
                {plural(rows, "row")},{" "}
                {rows / all < 0.0005 ? "under 0.1 %" : formatPercent((rows / all) * 100)}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
