import { plural } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import type { ColumnChange } from "@/server/data-quality/rules/column-changes.ts";
import { kindWords, sidesOf } from "@/server/data-quality/rules/schema-rule.ts";
import type { TableColumn } from "@/server/data-quality/rules/table-columns.ts";

/** Columns as they were approved, in their order. */
export function ApprovedColumns({ columns }: { columns: readonly TableColumn[] }) {
  return (
    <MaskedRows
      title="Approved columns"
      extent={plural(columns.length, "column")}
      label="Approved columns"
      columns={headings("column", "type", "NULL")}
      rows={columns.map(({ name, type, nullable }) => [name, type, nullable ? "may be NULL" : "not null"])}
      maskedColumns={[]}
    />
  );
}

/** Columns that differ from those that were approved. */
export function ColumnChanges({ changes, title }: { changes: readonly ColumnChange[]; title: string }) {
  return (
    <MaskedRows
      title={title}
      extent={plural(changes.length, "change")}
      label={title}
      columns={headings("change", "column", "approved", "now")}
      rows={changes.map((change) => [
        kindWords[change.kind],
        change.name,
        ...sidesOf(change).map((side) => side ?? absent),
      ])}
      maskedColumns={[]}
    />
  );
}

/** A column that is not there. */
export const absent = "–";

const headings = (...names: string[]) => names.map((name) => ({ name, type: "text" }));
