import { plural } from "@/components/ui/format.ts";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import type { Evidence } from "@/server/actors/schema.ts";

/** The first rows returned by a proposed SQL statement. */
export function EvidenceRows({ evidence, of }: { evidence: Evidence; of: string }) {
  const { columns = [], rows = [], truncated, maskedColumns = [], omittedColumns = 0 } = evidence;
  if (rows.length === 0) return <p className="text-ink-2">No rows found, as it should be.</p>;
  const extent = truncated ? `the first ${plural(rows.length, "row")}` : plural(rows.length, "row");
  return (
    <MaskedRows
      title="What it finds now"
      extent={
        omittedColumns > 0 ? `${extent}, ${plural(omittedColumns, "further column")} not shown` : extent
      }
      label={`Rows of ${of}`}
      {...{ columns, rows, maskedColumns }}
    />
  );
}
