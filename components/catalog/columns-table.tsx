"use client";
import { type ComponentProps, type KeyboardEvent, useEffect, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { KeyRound } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { containsWords } from "@/components/ui/matching.ts";
import { Name } from "@/components/ui/name.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import type { TablePage } from "@/server/catalog/schema.ts";
import { Described } from "./described.tsx";
import { RuleLine } from "./rule-line.tsx";
import { columnHash, columnId, idInHash, tableHref } from "./table-href.ts";

type Column = TablePage["columns"][number];

/** The columns with their descriptions and rules; Enter on a row edits its description. */
export function ColumnsTable({ table }: { table: TablePage }) {
  const { columns, rules } = table;
  const mayEdit = useMay("catalog:describe");
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<string | null>(null);
  const target = useTarget();
  const rulesOf = Map.groupBy(rules, ({ column }) => (column ?? "").toLowerCase());
  const shown = columns.filter(({ name, type, comment, description }) =>
    containsWords(`${name} ${type} ${comment ?? ""} ${description?.text ?? ""}`, search),
  );
  const keys = useRowKeys({ count: shown.length });
  return (
    <section aria-labelledby="columns" className="pt-8">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2 pb-1">
        <h2 id="columns" className="text-base font-semibold tracking-tight">
          Columns
        </h2>
        <span className="text-ink-3 tabular-nums">{formatNumber(columns.length)}</span>
        {columns.length > 8 && (
          <SearchInput
            label="Search columns"
            value={search}
            onValueChange={setSearch}
            className="ml-auto w-44 sm:w-56"
          />
        )}
      </div>
      {shown.length === 0 ? (
        <p className="border-t py-4 text-ink-2">
          {columns.length === 0 ? "No visible columns." : `No column holds “${search}”.`}
        </p>
      ) : (
        <Table label={`Columns of ${table.tableName}`}>
          <Thead>
            <tr>
              <Th>Column</Th>
              <Th className="hidden sm:table-cell">Type</Th>
              <Th>Description</Th>
              {rules.length > 0 && <Th className="hidden md:table-cell">Rules</Th>}
            </tr>
          </Thead>
          <tbody>
            {shown.map((column, index) => (
              <ColumnRow
                key={column.name}
                table={table}
                column={column}
                rules={rulesOf.get(column.name.toLowerCase()) ?? []}
                mayEdit={mayEdit}
                isTarget={target === columnId(column.name)}
                isEditing={editing === column.name}
                onEditing={(isEditing) => setEditing(isEditing ? column.name : null)}
                row={keys.row(index)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {shown.length > 0 && shown.length < columns.length && (
        <p className="pt-2 text-xs text-ink-3">
          {plural(columns.length - shown.length, "other column")} of this table.
        </p>
      )}
    </section>
  );
}

function ColumnRow({
  table,
  column,
  rules,
  mayEdit,
  isTarget,
  isEditing,
  onEditing,
  row,
}: {
  table: TablePage;
  column: Column;
  rules: TablePage["rules"];
  mayEdit: boolean;
  /** The URL points to this column. */
  isTarget: boolean;
  isEditing: boolean;
  onEditing: (isEditing: boolean) => void;
  row: ComponentProps<typeof Tr> & { onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => void };
}) {
  const { name, type, nullable, comment, isPrimaryKey, references } = column;
  const { schemaName, tableName } = table;
  const commented = comment && (
    <p className="break-words text-xs text-ink-3" title="Database comment">
      <span className="sr-only">Database comment: </span>
      {comment}
    </p>
  );
  return (
    <Tr
      {...row}
      id={columnId(name)}
      selected={isTarget}
      className="group scroll-mt-16"
      onKeyDown={(event) => {
        row.onKeyDown(event);
        if (!mayEdit || event.key !== "Enter" || event.target !== event.currentTarget) return;
        event.preventDefault();
        onEditing(true);
      }}
    >
      <Td className="max-w-44 min-w-36 align-top sm:max-w-64 sm:min-w-52">
        <span className="flex min-h-6 items-center gap-1.5 font-mono text-[13px] wrap-anywhere">
          <Name>{name}</Name>
          {isPrimaryKey && (
            <span title="Part of the primary key" className="text-ink-3">
              <KeyRound aria-hidden className="size-3.5" />
              <span className="sr-only">primary key</span>
            </span>
          )}
        </span>
        <span className="block font-mono text-xs break-words text-ink-3 sm:hidden">
          {type}
          {nullable ? "" : ", not null"}
        </span>
        {references && <ReferenceLink table={table} references={references} />}
      </Td>
      <Td className="hidden max-w-56 align-top sm:table-cell">
        <span className="flex min-h-6 flex-wrap items-center gap-x-2 font-mono text-xs text-ink-2">
          <span className="break-words">{type}</span>
          {!nullable && <span className="font-sans text-ink-3">not null</span>}
        </span>
      </Td>
      <Td className="w-1/2 align-top">
        {/* The prompt to describe it follows the database's comment, instead of taking its own line. */}
        <div className={column.description || isEditing ? undefined : "flex flex-wrap items-center gap-x-2"}>
          {!column.description && !isEditing && commented}
          <Described
            place={{ dataSourceId: table.dataSource.id, schemaName, tableName, columnName: name }}
            words={column.description}
            mayEdit={mayEdit}
            isEditing={isEditing}
            onEditing={onEditing}
            isQuiet
            className="min-h-6"
          />
          {(column.description || isEditing) && commented}
        </div>
        {rules.length > 0 && (
          <div className="flex flex-col pt-1 md:hidden">
            {rules.map((rule) => (
              <RuleLine key={rule.id} rule={rule} />
            ))}
          </div>
        )}
      </Td>
      {table.rules.length > 0 && (
        <Td className="hidden max-w-72 align-top md:table-cell">
          {rules.map((rule) => (
            <RuleLine key={rule.id} rule={rule} />
          ))}
        </Td>
      )}
    </Tr>
  );
}

function ReferenceLink({
  table: { dataSource, schemaName, tableName },
  references,
}: {
  table: TablePage;
  references: NonNullable<Column["references"]>;
}) {
  const { href } = useProject();
  const look = "block font-mono text-xs wrap-anywhere text-ink-3 hover:text-ink hover:underline";
  const words = (
    <>
      <span aria-hidden>→ </span>
      <span className="sr-only">refers to </span>
      <Name>{references.tableName}</Name>.<Name>{references.columnName}</Name>
    </>
  );
  const hash = columnHash(references.columnName);
  const isHere = references.schemaName === schemaName && references.tableName === tableName;
  // Only the browser's own in-page navigation fires `hashchange`, which useTarget follows; Link doesn't.
  return isHere ? (
    <a href={hash} className={look}>
      {words}
    </a>
  ) : (
    <Link href={href(tableHref(dataSource.id, references)) + hash} className={look}>
      {words}
    </Link>
  );
}

/** The element that the URL's fragment points to, which is scrolled to and focused; null if none. */
function useTarget(): string | null {
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    const follow = () => {
      const id = idInHash(window.location.hash);
      setTarget(id);
      const element = id && document.getElementById(id);
      if (!element) return;
      element.scrollIntoView({ block: "center" });
      // So that keyboard navigation continues from there.
      element.focus({ preventScroll: true });
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return target;
}
