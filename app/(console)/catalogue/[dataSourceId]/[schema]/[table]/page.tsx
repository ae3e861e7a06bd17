import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { nameInPath } from "@/components/catalogue/table-href.ts";
import { TablePage } from "@/components/catalogue/table-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ dataSourceId: string; schema: string; table: string }> };

async function named({ params }: Props) {
  const { dataSourceId, schema, table } = await params;
  const [schemaName, tableName] = [nameInPath(schema), nameInPath(table)];
  if (schemaName === null || tableName === null) notFound();
  return { dataSourceId: Number(dataSourceId), schemaName, tableName };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { schemaName, tableName } = await named(props);
  return { title: `${schemaName}.${tableName}` };
}

export default async function OneTablePage(props: Props) {
  const name = await named(props);
  await orNotFound(() => api.catalog.table(name));
  await api.catalog.table.prefetch(name);
  return (
    <HydrateClient>
      <TablePage {...name} />
    </HydrateClient>
  );
}
