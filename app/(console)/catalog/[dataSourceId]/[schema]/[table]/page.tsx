import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { loadTable } from "@/components/catalog/load-table.ts";
import { TablePage } from "@/components/catalog/table-page.tsx";
import { tableFindingsInput } from "@/components/findings/shown-input.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export async function generateMetadata(): Promise<Metadata> {
  const { schemaName, tableName } = await loadTable();
  return { title: `${schemaName}.${tableName}` };
}

export default async function OneTablePage() {
  const name = await loadTable();
  const { projectId } = await api.dataSources.get({ id: name.dataSourceId });
  await Promise.all([
    api.catalog.table.prefetch(name),
    api.findings.list.prefetch(tableFindingsInput(name)),
    api.watch.table.prefetch(name),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        {/* The key resets unfinished edits when going from one table to another. */}
        <TablePage key={JSON.stringify(name)} {...name} />
      </InProject>
    </HydrateClient>
  );
}
