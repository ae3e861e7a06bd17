"use client";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { RefreshCw } from "@/components/ui/icons.tsx";
import { useProject } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { factsOf, messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Moment } from "../ui/moment.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Table, Th, Thead } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSearch } from "../ui/use-search.ts";
import { type FoundTable, foundTables, sizeOf } from "./found-tables.ts";
import { SchemaTableRows } from "./schema-table-rows.tsx";

/** How many tables are rendered at first; a database may have thousands. */
const rowsAtOnce = 200;

/**
 * A database's schema as last read: tables that expand to their columns. Loaded by the browser rather than prefetched,
 * since the first read queries the database, which may be slow or down.
 */
export function SchemaBrowser({ id, mayRefresh }: { id: number; mayRefresh: boolean }) {
  const schema = trpc.dataSources.schema.useQuery({ id }, { staleTime: 5 * 60_000 });
  return (
    <section aria-label="Schema">
      {schema.data ? (
        <SchemaTables id={id} schema={schema.data} mayRefresh={mayRefresh} />
      ) : schema.error ? (
        <>
          <SchemaHeader />
          <ErrorState
            title="The schema could not be read"
            message={
              <>
                {factsOf(schema.error).message}
                <br />
                The data source and its contracts stay as they are.
              </>
            }
            requestId={factsOf(schema.error).requestId}
            onRetry={() => schema.refetch()}
            pending={schema.isFetching}
          />
        </>
      ) : (
        <>
          <SchemaHeader facts="Reading…" />
          <SkeletonRows rows={8} columns={3} />
        </>
      )}
    </section>
  );
}

function SchemaHeader({ facts, children }: { facts?: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 pt-6 pb-2">
      <h2 className="text-base font-semibold tracking-tight">Schema</h2>
      <div className="text-ink-3 tabular-nums">{facts}</div>
      <div className="flex w-full items-center gap-2 sm:ml-auto sm:w-auto">{children}</div>
    </div>
  );
}

function SchemaTables({
  id,
  schema: { items, readAt },
  mayRefresh,
}: {
  id: number;
  schema: Outputs["dataSources"]["schema"];
  mayRefresh: boolean;
}) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const refresh = trpc.dataSources.refreshSchema.useMutation({
    onSuccess: (found) => {
      utils.dataSources.schema.setData({ id }, found);
      toast.success(`Found ${plural(sizeOf(found.items).tables, "table")}`);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const [search, setSearch] = useSearch();
  const settled = useDeferredValue(search);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [drawn, setDrawn] = useState(rowsAtOnce);

  const found = useMemo(() => foundTables(items, settled), [items, settled]);
  const shown = found.slice(0, drawn);
  const keyOf = (table: { schemaName: string; tableName: string }) =>
    JSON.stringify([table.schemaName, table.tableName]);
  // The set holds the tables toggled away from the search's default.
  const isOpen = (table: FoundTable) => opened.has(keyOf(table)) !== table.isOpenedBySearch;
  const toggle = (index: number) => {
    const table = shown[index];
    if (!table) return;
    const next = new Set(opened);
    if (!next.delete(keyOf(table))) next.add(keyOf(table));
    setOpened(next);
  };
  const keys = useRowKeys({ count: shown.length, onOpen: toggle });
  const look = (next: string) => {
    setSearch(next);
    setOpened(new Set());
    setDrawn(rowsAtOnce);
  };

  return (
    <>
      <SchemaHeader
        facts={
          <>
            {sizeWords(items)}, read <Moment at={readAt} />
            {items.length > 0 && (
              <>
                {" · "}
                <Link href={href(`/catalog/${id}`)} className="text-accent underline">
                  Contracts and findings by table
                </Link>
              </>
            )}
          </>
        }
      >
        {items.length > 0 && (
          <SearchInput
            value={search}
            onValueChange={look}
            label="Search tables and columns"
            className="w-auto min-w-0 flex-1 sm:w-64 sm:flex-none"
          />
        )}
        {mayRefresh && (
          <Button icon={RefreshCw} pending={refresh.isPending} onClick={() => refresh.mutate({ id })}>
            Refresh
          </Button>
        )}
      </SchemaHeader>
      {items.length === 0 ? (
        <Empty title="No table is visible to this login">
          The database may be empty, or the login may lack permission to read. Grant it, then refresh.
        </Empty>
      ) : found.length === 0 ? (
        <p className="border-t py-4 text-ink-2">No table or column holds “{settled}”.</p>
      ) : (
        <Table label="Tables and columns">
          <Thead>
            <tr>
              <Th>Name</Th>
              <Th>Type</Th>
              <Th className="hidden sm:table-cell">Notes</Th>
              <Th className="hidden md:table-cell">Comment</Th>
              <Th numeric>Rows, about</Th>
            </tr>
          </Thead>
          <tbody>
            {shown.map((table, index) => (
              <SchemaTableRows
                key={keyOf(table)}
                table={table}
                isOpen={isOpen(table)}
                startsSchema={table.schemaName !== shown[index - 1]?.schemaName && items.length > 1}
                row={keys.row(index)}
                onToggle={() => toggle(index)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {found.length > shown.length && (
        <div className="py-3">
          <Button onClick={() => setDrawn(drawn + rowsAtOnce)}>
            Show more of {plural(found.length, "table")}
          </Button>
        </div>
      )}
    </>
  );
}

function sizeWords(items: Parameters<typeof sizeOf>[0]): string {
  const { schemas, tables, columns } = sizeOf(items);
  return `${plural(tables, "table")} in ${plural(schemas, "schema")}, ${plural(columns, "column")}`;
}
