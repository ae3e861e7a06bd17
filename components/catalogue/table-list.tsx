"use client";
import { useRouter } from "next/navigation";
import { useProject } from "@/components/projects/use-project.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Empty } from "@/components/ui/empty.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { tablesPerPage } from "./catalogue-filter.ts";
import { tableHref } from "./table-href.ts";
import { TableListRow } from "./table-list-row.tsx";
import type { CatalogueTables } from "./use-catalogue-tables.ts";

/** The tables of a catalogue page: what each is, how good it is, and who has said something about it. */
export function TableList({ tables, showSource }: { tables: CatalogueTables; showSource: boolean }) {
  const { page, isFiltered, isChanging, sortBy, setPage, showAll } = tables;
  const { href } = useProject();
  const router = useRouter();
  const hrefOf = (row: (typeof page.items)[number]) => href(tableHref(row.dataSourceId, row));
  const keys = useRowKeys({
    count: page.items.length,
    onOpen: (index) => {
      const row = page.items[index];
      if (row) router.push(hrefOf(row));
    },
  });
  if (page.items.length === 0)
    return (
      <Empty
        title={page.totalCount > 0 ? "There is nothing on this page of the list" : "No table matches"}
        action={isFiltered && <Button onClick={showAll}>Show every table</Button>}
      >
        {isFiltered
          ? "None has all of what the filters ask for."
          : "The login may lack the right to read, or the database is empty."}
      </Empty>
    );
  return (
    <div className={cn("transition-opacity", isChanging && "opacity-60")} aria-busy={isChanging}>
      <Table label="Tables">
        <Thead>
          <tr>
            <Th sort={sortBy("name")}>Table</Th>
            <Th className="hidden lg:table-cell">Description</Th>
            <Th numeric className="hidden sm:table-cell" sort={sortBy("rows")}>
              Rows, about
            </Th>
            <Th numeric className="hidden md:table-cell">
              Columns
            </Th>
            <Th sort={sortBy("score")}>Quality</Th>
            <Th className="hidden xl:table-cell">Trend</Th>
            <Th className="hidden md:table-cell" sort={sortBy("contracts")}>
              Contracts
            </Th>
          </tr>
        </Thead>
        <tbody>
          {page.items.map((row, index) => (
            <TableListRow
              key={`${row.dataSourceId} ${hrefOf(row)}`}
              row={row}
              href={hrefOf(row)}
              showSource={showSource}
              {...keys.row(index)}
            />
          ))}
        </tbody>
      </Table>
      <Pager page={page.page} pageSize={tablesPerPage} total={page.totalCount} onPageChange={setPage} />
    </div>
  );
}
