import type { Metadata } from "next";
import { loadTable } from "@/components/catalogue/load-table.ts";
import { TablePage } from "@/components/catalogue/table-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const { schemaName, tableName } = await loadTable();
  return { title: `${schemaName}.${tableName}` };
}

export default async function OneTablePage() {
  const name = await loadTable();
  await api.catalog.table.prefetch(name);
  return (
    <HydrateClient>
      {/* From one table to another what was begun is left behind. */}
      <TablePage key={JSON.stringify(name)} {...name} />
    </HydrateClient>
  );
}
