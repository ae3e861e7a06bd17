"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { Empty } from "@/components/ui/empty.tsx";
import { type Columns, List } from "@/components/ui/list.tsx";
import { newContractHref, tableHref } from "./table-href.ts";
import { TableListRow } from "./table-list-row.tsx";
import type { CatalogTables } from "./use-catalog-tables.ts";

/** The tables of a catalog page: size, score, and description. */
export function TableList({
  tables,
  showSource,
  contractHref,
}: {
  tables: CatalogTables;
  showSource: boolean;
  /** Where a contract for a table without one is written; the editor if omitted. */
  contractHref?: (table: CatalogTables["page"]["items"][number]) => string;
}) {
  const { page, sortBy } = tables;
  const { href } = useProject();
  const hrefOf = (row: (typeof page.items)[number]) => href(tableHref(row.dataSourceId, row));
  const columns: Columns = [
    { title: "Table", sort: sortBy("name") },
    { title: "Description", from: "lg" },
    // Row counts sort largest first; scores sort lowest first.
    { title: "Rows, about", numeric: true, from: "sm", sort: sortBy("rows", "desc") },
    { title: "Columns", numeric: true, from: "md" },
    { title: "Quality", sort: sortBy("score") },
    { title: "Trend", from: "xl" },
    { title: "Findings", numeric: true, from: "sm" },
    { title: "Contracts", from: "md", sort: sortBy("contracts", "desc") },
  ];
  return (
    <List
      label="Tables"
      things="tables"
      columns={columns}
      rows={page.items}
      page={page}
      list={tables}
      keyOf={(row) => `${row.dataSourceId} ${hrefOf(row)}`}
      hrefOf={hrefOf}
      empty={
        <Empty title="No tables">The login may lack permission to read, or the database is empty.</Empty>
      }
    >
      {(row, props) => (
        <TableListRow
          row={row}
          href={hrefOf(row)}
          contractHref={href(contractHref?.(row) ?? newContractHref(row.dataSourceId, row))}
          showSource={showSource}
          {...props}
        />
      )}
    </List>
  );
}
