"use client";
import { Fragment, useId, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { formatNumber, formatPercent, plural } from "@/components/ui/format.ts";
import { ChartSpline, ChevronDown, ChevronRight, EyeOff } from "@/components/ui/icons.tsx";
import { cellText } from "@/components/ui/masked-rows.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { ColumnFigures, TableFigures } from "@/server/catalog/schema.ts";
import { ColumnValues } from "./column-values.tsx";
import { useTableFigures } from "./use-table-figures.ts";
import { ValueHistogram } from "./value-histogram.tsx";

/** What each column of a table holds, read from the data source when someone asks. */
export function TableValues(table: { dataSourceId: number; schemaName: string; tableName: string }) {
  const mayRead = useMay("evaluations:run");
  const { figures, isReading, error, read } = useTableFigures(table);
  if (!mayRead) return null;
  return (
    <section aria-labelledby="values" className="pt-8">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2 pb-1">
        <h2 id="values" className="text-base font-semibold tracking-tight">
          Values
        </h2>
        {figures && <Extent figures={figures} />}
        <Button size="sm" icon={ChartSpline} pending={isReading} onClick={read} className="ml-auto">
          {figures ? "Read again" : "Profile the columns"}
        </Button>
      </div>
      {error ? (
        <ErrorState
          title="The table could not be read"
          message={asSentence(messageOf(error))}
          requestId={factsOf(error).requestId}
          onRetry={read}
        />
      ) : figures ? (
        <ValuesTable figures={figures} tableName={table.tableName} />
      ) : isReading ? (
        <SkeletonRows rows={5} columns={4} />
      ) : (
        <p className="border-t py-3 text-ink-2">
          Missing, common, and rare values of each column, and how they are spread. Reads the table once.
        </p>
      )}
    </section>
  );
}

function Extent({ figures: { rowsRead, totalRows, isWhole, readAt } }: { figures: TableFigures }) {
  return (
    <span className="text-xs text-ink-3 tabular-nums">
      {isWhole
        ? `of ${plural(rowsRead, "row")}`
        : `of ${formatNumber(rowsRead)} rows from all over ${formatNumber(totalRows)}`}
      , read <Moment at={readAt} />
    </span>
  );
}

function ValuesTable({
  figures: { columns, rowsRead },
  tableName,
}: {
  figures: TableFigures;
  tableName: string;
}) {
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setOpen((names) =>
      names.has(name) ? new Set([...names].filter((each) => each !== name)) : new Set([...names, name]),
    );
  return (
    <Table label={`Values of ${tableName}`}>
      <Thead>
        <tr>
          <Th>Column</Th>
          <Th numeric>Missing</Th>
          <Th numeric className="hidden sm:table-cell">
            Different
          </Th>
          <Th>Values</Th>
        </tr>
      </Thead>
      <tbody>
        {columns.map((column, index) => (
          <Fragment key={column.name}>
            <ColumnLine
              column={column}
              rowsRead={rowsRead}
              isOpen={open.has(column.name)}
              detailsId={`${id}-${index}`}
              onToggle={() => toggle(column.name)}
            />
            {open.has(column.name) && (
              <tr id={`${id}-${index}`}>
                <td colSpan={4} className="border-b border-line bg-sunken px-3 py-3 sm:px-8">
                  <ColumnValues figures={column} rowsRead={rowsRead} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

function ColumnLine({
  column,
  rowsRead,
  isOpen,
  detailsId,
  onToggle,
}: {
  column: ColumnFigures;
  rowsRead: number;
  isOpen: boolean;
  detailsId: string;
  onToggle: () => void;
}) {
  const { name, type, nulls, blanks, different } = column;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const missing = nulls + blanks;
  return (
    <Tr>
      <Td>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          title={type}
          onClick={onToggle}
          className="flex w-full items-center gap-1.5 rounded-sm text-left hover:underline"
        >
          <Chevron aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="min-w-0 font-mono wrap-anywhere">
            <Name>{name}</Name>
          </span>
        </button>
      </Td>
      <Td numeric className={missing > 0 ? undefined : "text-ink-3"}>
        {rowsRead === 0 || missing === 0 ? "none" : formatPercent((missing / rowsRead) * 100)}
      </Td>
      <Td numeric className="hidden sm:table-cell">
        {formatNumber(different)}
      </Td>
      <Td className="max-w-0 w-1/2">
        <Glance column={column} />
      </Td>
    </Tr>
  );
}

/** The column in a line: its spread, its common values, or how its texts are written. */
function Glance({
  column: { name, isMasked, range, histogram, common, rare, shapes },
}: {
  column: ColumnFigures;
}) {
  if (isMasked)
    return (
      <span className="inline-flex items-center gap-1 text-xs text-ink-3">
        <EyeOff aria-hidden className="size-3" /> not shown
      </span>
    );
  if (range && histogram)
    return (
      <span className="flex items-center gap-3">
        <ValueHistogram histogram={histogram} column={name} size="small" />
        <span className="hidden truncate font-mono text-xs text-ink-2 md:inline">
          {range.least} to {range.greatest}
        </span>
      </span>
    );
  const [first] = shapes;
  const words =
    common.length > 0
      ? common.map(({ value }) => cellText(value)).join(", ")
      : first
        ? `such as ${first.example ?? first.shape}`
        : "";
  return (
    <span className="flex items-baseline gap-2 text-xs">
      <span className="truncate font-mono text-ink-2">{words}</span>
      {rare.length > 0 && <span className="shrink-0 text-warning">{plural(rare.length, "rare value")}</span>}
    </span>
  );
}
