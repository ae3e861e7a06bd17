import { ValueShapes } from "@/components/findings/value-shapes.tsx";
import { formatNumber, formatPercent, plural } from "@/components/ui/format.ts";
import { EyeOff } from "@/components/ui/icons.tsx";
import { cellText } from "@/components/ui/masked-rows.tsx";
import type { ColumnFigures } from "@/server/catalog/schema.ts";
import { ValueHistogram } from "./value-histogram.tsx";

/** What one column holds, in full: common and rare values, the spread of numbers and times, how texts are written. */
export function ColumnValues({ figures, rowsRead }: { figures: ColumnFigures; rowsRead: number }) {
  const { name, common, rare, range, histogram, shapes, isMasked } = figures;
  const most = Math.max(1, ...common.map(({ rows }) => rows));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-xs text-ink-2">{columnWords(figures, rowsRead)}</p>
      {isMasked && (
        <p className="flex items-center gap-1 text-xs text-ink-3">
          <EyeOff aria-hidden className="size-3" /> Personal data or secrets: its values are not shown.
        </p>
      )}
      {range && histogram && (
        <>
          <ValueHistogram histogram={histogram} column={name} />
          <p className="text-xs text-ink-2 tabular-nums">
            From <span className="font-mono">{range.least}</span> to{" "}
            <span className="font-mono">{range.greatest}</span>, median{" "}
            <span className="font-mono">{range.median}</span>
          </p>
        </>
      )}
      {common.length + rare.length > 0 && (
        <div className="grid max-w-2xl gap-x-8 gap-y-3 sm:grid-cols-2">
          <ValueList title="Common values" values={common} most={most} of={rowsRead} />
          <ValueList title="Rare values" values={rare} most={most} of={rowsRead} isRare />
        </div>
      )}
      {shapes.length > 1 && (
        <ValueShapes
          shapes={shapes.map((each) => ({ ...each, example: each.example ?? "–", isInDoubt: false }))}
        />
      )}
    </div>
  );
}

/** `12 of 9,000 rows have no value (0.1 %). 5 different values.` */
export function columnWords({ nulls, blanks, different, mostRows }: ColumnFigures, rowsRead: number): string {
  if (rowsRead === 0) return "The table is empty.";
  const missing =
    nulls === 0
      ? "Every row has a value."
      : `${formatNumber(nulls)} of ${plural(rowsRead, "row")} have no value (${shareWords(nulls, rowsRead)}).`;
  const empty = blanks > 0 ? ` ${plural(blanks, "row")} ${blanks === 1 ? "is" : "are"} empty text.` : "";
  const values = mostRows === 1 ? "All values differ." : `${plural(different, "different value")}.`;
  return `${missing}${empty} ${values}`;
}

/** A few of many rows are never "0.0 %". */
const shareWords = (rows: number, of: number): string =>
  rows > 0 && rows / of < 0.0005 ? `under ${formatPercent(0.1)}` : formatPercent((rows / of) * 100);

function ValueList({
  title,
  values,
  most,
  of,
  isRare = false,
}: {
  title: string;
  values: ColumnFigures["common"];
  most: number;
  of: number;
  isRare?: boolean;
}) {
  if (values.length === 0) return null;
  return (
    <div className="min-w-0">
      <p className="border-b pb-1 text-xs font-semibold text-ink-2">{title}</p>
      <ul aria-label={title} className="text-xs">
        {values.map(({ value, rows }) => (
          <li
            key={value}
            className="grid grid-cols-[minmax(0,1fr)_3rem_9rem] items-center gap-x-2 border-b border-line py-1"
          >
            <span className="truncate font-mono" title={value}>
              {cellText(value)}
            </span>
            <span aria-hidden className="h-1.5 rounded-sm bg-hover">
              <span
                className={`block h-full min-w-0.5 rounded-sm ${isRare ? "bg-warning" : "bg-accent"}`}
                style={{ width: `${Math.min(100, (rows / most) * 100)}%` }}
              />
            </span>
            <span className="text-right text-ink-2 tabular-nums">
              {plural(rows, "row")}, {shareWords(rows, of)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
