"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { plural } from "@/components/ui/format.ts";
import { BookText, Database } from "@/components/ui/icons.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { ExportButton } from "./export-button.tsx";
import { SourceList } from "./source-list.tsx";
import { TableFilters } from "./table-filters.tsx";
import { documentationFileName } from "./table-href.ts";
import { TableList } from "./table-list.tsx";
import { useCatalogTables } from "./use-catalog-tables.ts";

/** Every table of every data source, and what is known about it. */
export function CatalogPage() {
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const input = useProjectInput();
  const mayConnect = useMay("data-sources:manage");
  const [{ items: sources }] = trpc.catalog.sources.useSuspenseQuery(input, { refetchInterval: 60_000 });
  const tables = useCatalogTables();
  const tableCount = sources.reduce((sum, source) => sum + source.tableCount, 0);
  const chosen =
    sources.find(({ id }) => id === tables.filters.source) ?? (sources.length === 1 && sources[0]);

  if (sources.length === 0)
    return (
      <>
        <PageHeader title="Catalog" />
        <Empty
          icon={BookText}
          title="Nothing to browse yet"
          action={
            mayConnect && (
              <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Database}>
                Connect a data source
              </ButtonLink>
            )
          }
        >
          The catalog shows what each table holds, how good its data is, and who reads it. Connect a database
          as a data source to start.{!mayConnect && " An Admin can connect one."}
        </Empty>
      </>
    );

  return (
    <>
      <PageHeader
        title="Catalog"
        count={plural(tableCount, "table")}
        actions={
          tableCount > 0 && (
            <ExportButton
              of={input}
              fileName={documentationFileName(project === null ? "catalog" : nameOf(project))}
            />
          )
        }
      />
      <SourceList sources={sources} />
      {tableCount > 0 && (
        <section aria-label="All tables" className="pt-6">
          <TableFilters
            tables={tables}
            sources={sources}
            tags={(chosen ? [chosen] : sources).flatMap(({ tags }) => tags)}
            {...(chosen && { schemas: chosen.schemas })}
          />
          <TableList tables={tables} showSource={sources.length > 1} />
        </section>
      )}
    </>
  );
}
