import { formatNumber } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { Samples } from "@/server/data-quality/schema.ts";

/** Rows that a rule fails for, as many as were kept, and how many there are. */
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
  return (
    <MaskedRows
      {...sample}
      title={type === "Uniqueness" ? "Values that come more than once" : "Failing rows"}
      extent={extentOf(sample.rows.length, totalFailing)}
      label={`Failing rows of ${of}`}
    />
  );
}

/** "20 of 312", or how many are shown where it is not known how many there are. */
export function extentOf(shown: number, total: number | null): string {
  if (total === null || total < shown) return `${formatNumber(shown)} shown`;
  return total === shown ? `all ${formatNumber(total)}` : `${formatNumber(shown)} of ${formatNumber(total)}`;
}
