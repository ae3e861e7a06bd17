"use client";
import { BookText, Database } from "lucide-react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { plural } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { ExportButton } from "./export-button.tsx";
import { SourceList } from "./source-list.tsx";
import { TableFilters } from "./table-filters.tsx";
import { documentationFileName } from "./table-href.ts";
import { TableList } from "./table-list.tsx";
import { useCatalogueTables } from "./use-catalogue-tables.ts";

/** Every table of every database, and what is known about it. */
export function CataloguePage() {
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const input = useProjectInput();
  const mayConnect = useMay("data-sources:manage");
  const [{ items: sources }] = trpc.catalog.sources.useSuspenseQuery(input, { refetchInterval: 60_000 });
  const tables = useCatalogueTables();
  const tableCount = sources.reduce((sum, source) => sum + source.tableCount, 0);
  const chosen =
    sources.find(({ id }) => id === tables.filters.source) ?? (sources.length === 1 && sources[0]);

  if (sources.length === 0)
    return (
      <>
        <PageHeader title="Catalogue" />
        <Empty
          icon={BookText}
          title="There is nothing to look up yet"
          action={
            mayConnect && (
              <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Database}>
                Connect a data source
              </ButtonLink>
            )
          }
        >
          The catalogue says of every table what it holds, how good it is and who reads it. It begins with a
          database that is connected as a data source.{!mayConnect && " An Admin can connect one."}
        </Empty>
      </>
    );

  return (
    <>
      <PageHeader
        title="Catalogue"
        count={plural(tableCount, "table")}
        actions={
          tableCount > 0 && (
            <ExportButton
              of={input}
              fileName={documentationFileName(project === null ? "catalogue" : nameOf(project))}
            />
          )
        }
      />
      <SourceList sources={sources} />
      {tableCount > 0 && (
        <section aria-label="All tables" className="pt-6">
          <TableFilters tables={tables} sources={sources} {...(chosen && { schemas: chosen.schemas })} />
          <TableList tables={tables} showSource={sources.length > 1} />
        </section>
      )}
    </>
  );
}
