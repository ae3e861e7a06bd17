import { formatNumber } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import type { GroupResults } from "@/server/data-quality/evaluations/schema.ts";

/** The groups that fail a rule, worst first, with their counts; nothing if their values are not kept or none fails. */
export function GroupRows({
  groups: { columns, maskedColumns, worst, failing, total },
  of,
}: {
  groups: GroupResults;
  /** The rule's name. */
  of: string;
}) {
  if (worst.length === 0) return null;
  const counts = worst.some((group) => group.failing !== null);
  const more = [
    { name: "rows", type: "Rows of the group" },
    ...(counts ? [{ name: "failing rows", type: "Rows of the group that fail" }] : []),
    { name: "found", type: "What was found in the group" },
  ];
  const shown = worst.length === failing ? "" : `the worst ${formatNumber(worst.length)} of `;
  return (
    <MaskedRows
      title="Failing groups"
      extent={`${shown}${formatNumber(failing)}; ${formatNumber(total)} in all`}
      label={`Failing groups of ${of}`}
      columns={[...columns, ...more]}
      rows={worst.map(({ values, rows, failing, actualValue }) => [
        ...values,
        rows,
        ...(counts ? [failing] : []),
        actualValue,
      ])}
      maskedColumns={maskedColumns}
    />
  );
}
