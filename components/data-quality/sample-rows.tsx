import { formatNumber } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import { type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { Samples } from "@/server/data-quality/schema.ts";
import { absent } from "./column-tables.tsx";

/** The kept sample of rows that fail a rule, and the total. */
export function SampleRows({
  samples: { totalFailing, ...sample },
  type,
  of,
}: {
  samples: Samples;
  type: RuleType;
  /** The rule's name. */
  of: string;
}) {
  const shown = ruleDefinition(type).samples;
  const isChanges = shown?.of === "changes";
  return (
    <MaskedRows
      {...sample}
      rows={isChanges ? sample.rows.map((row) => row.map((cell) => cell ?? absent)) : sample.rows}
      title={shown?.title ?? "Failing rows"}
      extent={extentOf(sample.rows.length, totalFailing)}
      label={`${isChanges ? "Changes" : "Failing rows"} of ${of}`}
    />
  );
}

/** "20 of 312", or only the number shown if the total is unknown. */
export function extentOf(shown: number, total: number | null): string {
  if (total === null || total < shown) return `${formatNumber(shown)} shown`;
  return total === shown ? `all ${formatNumber(total)}` : `${formatNumber(shown)} of ${formatNumber(total)}`;
}
