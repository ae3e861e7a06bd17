import type { ComponentProps } from "react";
import { ChevronDown, ChevronRight, KeyRound } from "@/components/ui/icons.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Badge } from "../ui/badge.tsx";
import { Count } from "../ui/count.tsx";
import { plural } from "../ui/format.ts";
import { Td, Tr } from "../ui/table.tsx";
import type { FoundTable } from "./found-tables.ts";

/** One table's row and, if expanded, its columns. */
export function SchemaTableRows({
  table,
  isOpen,
  startsSchema,
  row,
  onToggle,
}: {
  table: FoundTable;
  isOpen: boolean;
  /** Shows the schema's name above. */
  startsSchema: boolean;
  row: ComponentProps<typeof Tr>;
  onToggle: () => void;
}) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const hidden = table.columns.length - table.shown.length;
  return (
    <>
      {startsSchema && (
        <tr className="border-b">
          <th
            scope="colgroup"
            colSpan={5}
            className="h-8 bg-sunken px-2 text-left text-xs font-medium text-ink-2"
          >
            {table.schemaName}
          </th>
        </tr>
      )}
      <Tr {...row}>
        <Td className="pr-6 font-medium">
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={isOpen}
            onClick={onToggle}
            className="flex items-center gap-1 text-left"
          >
            <Chevron aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="font-mono text-[13px] whitespace-nowrap">{table.tableName}</span>
          </button>
        </Td>
        <Td className="whitespace-nowrap text-ink-2">{plural(table.columns.length, "column")}</Td>
        <Td className="hidden sm:table-cell">{table.kind === "View" && <Badge>View</Badge>}</Td>
        <Td truncate className="hidden w-full text-ink-2 md:table-cell" title={table.comment ?? undefined}>
          {table.comment}
        </Td>
        <Td numeric>
          {table.rowEstimate === null ? (
            <span className="text-ink-3">–</span>
          ) : (
            <Count value={table.rowEstimate} />
          )}
        </Td>
      </Tr>
      {isOpen &&
        table.shown.map((column) => (
          <tr key={column.name} className="border-b border-line">
            <Td className="pr-6 pl-9">
              <span className="font-mono text-[13px] whitespace-nowrap">{column.name}</span>
            </Td>
            <Td className="font-mono text-xs whitespace-nowrap text-ink-2">{column.type}</Td>
            <Td className="hidden sm:table-cell">
              <span className="flex items-center gap-2 text-xs whitespace-nowrap text-ink-2">
                {column.isPrimaryKey && (
                  <span className="inline-flex items-center gap-1">
                    <KeyRound aria-hidden className="size-3.5" />
                    key
                  </span>
                )}
                {!column.nullable && !column.isPrimaryKey && "not null"}
                {column.references && (
                  <span className="font-mono">
                    → <Name>{column.references.tableName}</Name>.<Name>{column.references.columnName}</Name>
                  </span>
                )}
              </span>
            </Td>
            <Td truncate className="hidden text-ink-2 md:table-cell" title={column.comment ?? undefined}>
              {column.comment}
            </Td>
            <Td />
          </tr>
        ))}
      {isOpen && hidden > 0 && (
        <tr className="border-b border-line">
          <td colSpan={5} className="h-8 pl-9 text-xs text-ink-3">
            {plural(hidden, "other column")}
          </td>
        </tr>
      )}
    </>
  );
}
