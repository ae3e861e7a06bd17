"use client";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { ChevronRight } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";
import { quotedIfNeeded } from "@/server/data-sources/dialects/clauses.ts";
import type { Dialect } from "@/server/data-sources/dialects/dialect.ts";
import { type FoundTable, searchSchema } from "./schema-search.ts";

/** As many tables as are listed at once; a search finds the others. */
const limit = 100;

/**
 * The tables and columns of a data source. A press writes a name into the SQL, quoted if it must be. The arrow keys move
 * through the tree and open tables; Enter writes.
 */
export function SchemaPanel({
  items,
  nearest,
  dialect,
  onInsert,
}: {
  items: DatabaseSchema["items"];
  /** Tables of this schema need no qualification. */
  nearest: string;
  dialect: Dialect;
  /** null if the SQL cannot be changed. */
  onInsert: ((name: string, kind: "table" | "column") => void) | null;
}) {
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState("");
  const tree = useRef<HTMLDivElement>(null);
  const { found, more } = useMemo(
    () => searchSchema(items, search, { nearest, limit }),
    [items, search, nearest],
  );
  const keys = found.map(keyOf);
  const isOpen = (each: FoundTable) => each.byColumns || open.has(keyOf(each));
  const rowKeys = found.flatMap((each) =>
    isOpen(each) ? [keyOf(each), ...each.columns.map(({ name }) => columnKey(each, name))] : [keyOf(each)],
  );
  const reached = rowKeys.includes(current) ? current : rowKeys[0];

  const toggle = (key: string, opens = !open.has(key)) => {
    const next = new Set(open);
    if (opens) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  const moveTo = (key: string | undefined) => {
    if (key === undefined) return;
    setCurrent(key);
    const rows = tree.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
    [...rows].find((row) => row.dataset.row === key)?.focus();
  };
  const press = (event: KeyboardEvent, key: string, insert: () => void) => {
    const index = rowKeys.indexOf(key);
    const owner = keys.find((each) => key !== each && key.startsWith(`${each}\n`));
    const moves = new Map([
      ["ArrowDown", () => moveTo(rowKeys[index + 1])],
      ["ArrowUp", () => moveTo(rowKeys[index - 1])],
      ["Home", () => moveTo(rowKeys[0])],
      ["End", () => moveTo(rowKeys.at(-1))],
      ["ArrowRight", () => (owner || open.has(key) ? moveTo(rowKeys[index + 1]) : toggle(key, true))],
      ["ArrowLeft", () => (owner ? moveTo(owner) : toggle(key, false))],
      ["Enter", insert],
      [" ", insert],
    ]);
    const move = moves.get(event.key);
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const rowOf = (key: string, insert: () => void) => ({
    rowKey: key,
    isReached: key === reached,
    onFocus: () => setCurrent(key),
    onPress: (event: KeyboardEvent) => press(event, key, insert),
    ...(onInsert && { onInsert: insert }),
  });

  return (
    <section aria-label="Tables" className="flex min-w-0 flex-col gap-2 rounded-md border bg-surface p-2">
      <Input
        type="search"
        aria-label="Search tables and columns"
        placeholder="Search tables and columns"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length === 0 && (
        <p className="px-1 text-ink-3">
          {items.length === 0 ? "The login can read no tables." : "No tables or columns match."}
        </p>
      )}
      <div
        ref={tree}
        role="tree"
        aria-label="Tables and columns"
        hidden={found.length === 0}
        className="max-h-80 min-w-0 overflow-y-auto text-[13px]"
      >
        {found.map((each) => {
          const key = keyOf(each);
          const { schemaName, table } = each;
          const path = schemaName === nearest ? [table.tableName] : [schemaName, table.tableName];
          const written = path.map((name) => quotedIfNeeded(dialect, name)).join(".");
          const insert = () => onInsert?.(written, "table");
          return (
            <div key={key} role="none">
              <Row isOpen={isOpen(each)} level={1} {...rowOf(key, insert)}>
                <ChevronRight
                  aria-hidden
                  className={cn(
                    "size-5 shrink-0 rounded-sm p-0.5 text-ink-3 transition-transform hover:bg-line",
                    isOpen(each) && "rotate-90",
                  )}
                  onClick={(event) => {
                    event.stopPropagation();
                    toggle(key);
                  }}
                />
                <span className="min-w-0 truncate font-mono" title={table.comment ?? written}>
                  {schemaName !== nearest && <span className="text-ink-3">{schemaName}.</span>}
                  {table.tableName}
                </span>
                {table.kind === "View" && <span className="shrink-0 text-xs text-ink-3">view</span>}
                {table.rowEstimate !== null && table.rowEstimate >= 0 && dialect.hasCloseEstimates && (
                  <span className="ml-auto shrink-0 pl-2 text-xs text-ink-3 tabular-nums">
                    {formatNumber(table.rowEstimate)}
                  </span>
                )}
              </Row>
              {isOpen(each) &&
                each.columns.map((column) => {
                  const insertColumn = () => onInsert?.(quotedIfNeeded(dialect, column.name), "column");
                  return (
                    <Row key={column.name} level={2} {...rowOf(columnKey(each, column.name), insertColumn)}>
                      <span className="min-w-0 truncate pl-6 font-mono" title={column.comment ?? column.name}>
                        {column.name}
                      </span>
                      <span className="ml-auto min-w-0 shrink-[2] truncate pl-2 text-xs text-ink-3">
                        {column.isPrimaryKey && "key · "}
                        {column.type}
                      </span>
                    </Row>
                  );
                })}
            </div>
          );
        })}
      </div>
      {more > 0 && (
        <p className="px-1 text-xs text-ink-3">{plural(more, "more table")}: search to find them.</p>
      )}
    </section>
  );
}

/** A table or column. */
function Row({
  rowKey,
  level,
  isOpen,
  isReached,
  onFocus,
  onPress,
  onInsert,
  children,
}: {
  rowKey: string;
  level: 1 | 2;
  /** Of a table. */
  isOpen?: boolean;
  /** Whether Tab leads to it. */
  isReached: boolean;
  onFocus: () => void;
  onPress: (event: KeyboardEvent) => void;
  onInsert?: () => void;
  children: ReactNode;
}) {
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={isReached}
      tabIndex={isReached ? 0 : -1}
      data-row={rowKey}
      onFocus={onFocus}
      onKeyDown={onPress}
      onClick={onInsert}
      className={cn(
        "flex min-h-7 min-w-0 items-center gap-1 rounded-sm px-1 outline-offset-[-2px] hover:bg-hover",
        onInsert && "cursor-pointer",
      )}
    >
      {children}
    </div>
  );
}

const keyOf = ({ schemaName, table }: FoundTable) => `${schemaName}\n${table.tableName}`;
const columnKey = (table: FoundTable, name: string) => `${keyOf(table)}\n${name}`;
