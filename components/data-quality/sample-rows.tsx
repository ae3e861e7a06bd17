"use client";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { formatNumber, formatPercent, plural } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import { type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { Samples } from "@/server/data-quality/sample-schema.ts";
import { absent } from "./column-tables.tsx";
import { type ByValue, byValueOf } from "./failing-values.ts";

/** The kept sample of rows that fail a rule and the total, or how many rows fail by the value of the rule's column. */
export function SampleRows({
  samples,
  type,
  of,
  column = null,
}: {
  samples: Samples;
  type: RuleType;
  /** The rule's name. */
  of: string;
  /** The rule's column. */
  column?: string | null;
}) {
  const [isByValue, setIsByValue] = useState(false);
  const { totalFailing, ...sample } = samples;
  const byValue = byValueOf(samples, { type, column });
  const view = byValue && (
    <fieldset className="-my-1.5 ml-auto flex font-normal">
      <legend className="sr-only">Show failing rows</legend>
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={!isByValue}
        className="aria-pressed:bg-hover"
        onClick={() => setIsByValue(false)}
      >
        Rows
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={isByValue}
        className="aria-pressed:bg-hover"
        onClick={() => setIsByValue(true)}
      >
        By value
      </Button>
    </fieldset>
  );
  if (isByValue && byValue) return <ValueRows byValue={byValue} samples={samples} of={of} view={view} />;
  const shown = ruleDefinition(type).samples;
  const isChanges = shown?.of === "changes";
  return (
    <MaskedRows
      {...sample}
      rows={isChanges ? sample.rows.map((row) => row.map((cell) => cell ?? absent)) : sample.rows}
      title={shown?.title ?? "Failing rows"}
      extent={extentOf(sample.rows.length, totalFailing)}
      label={`${isChanges ? "Changes" : "Failing rows"} of ${of}`}
      note={view}
    />
  );
}

function ValueRows({
  byValue: { column, values, hasMore, isExact },
  samples: { columns, rows, maskedColumns, totalFailing },
  of,
  view,
}: {
  byValue: ByValue;
  samples: Samples;
  of: string;
  view: ReactNode;
}) {
  const all = isExact
    ? Math.max(
        totalFailing ?? 0,
        values.reduce((sum, each) => sum + each.rows, 0),
      )
    : rows.length;
  const type = columns.find(({ name }) => name === column)?.type ?? "";
  return (
    <MaskedRows
      columns={[
        { name: column, type },
        { name: "failing rows", type: "number" },
        { name: "share", type: "percent" },
      ]}
      rows={values.map((each) => [each.value, each.rows, formatPercent((each.rows / all) * 100)])}
      maskedColumns={maskedColumns.filter((name) => name === column)}
      title="Failing rows by value"
      extent={`${hasMore ? `the ${values.length} most frequent values` : plural(values.length, "value")} in ${
        isExact
          ? plural(all, "row")
          : `the ${formatNumber(all)} rows kept of ${formatNumber(totalFailing ?? all)}`
      }`}
      label={`Failing rows of ${of} by value`}
      note={view}
    />
  );
}

/** "20 of 312", or only the number shown if the total is unknown. */
export function extentOf(shown: number, total: number | null): string {
  if (total === null || total < shown) return `${formatNumber(shown)} shown`;
  return total === shown ? `all ${formatNumber(total)}` : `${formatNumber(shown)} of ${formatNumber(total)}`;
}
