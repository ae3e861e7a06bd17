"use client";
import { Database, Plus } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { placeOf } from "@/server/data-sources/place.ts";
import { useMay } from "../auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { Access } from "./access.tsx";
import { sourceParameters, sourcesInput } from "./list-input.ts";

type DataSource = Outputs["dataSources"]["page"]["items"][number];

const databaseOf = ({ connection }: DataSource) => ("database" in connection ? connection.database : "");

export function DataSourcesTable() {
  const inProject = useProjectInput();
  const list = useListFilters(sourceParameters, (filters) => sourcesInput(inProject, filters));
  const [page] = trpc.dataSources.page.useSuspenseQuery(list.input);
  const { nameOf } = useProjects();
  const { project, href } = useProject();
  const mayManage = useMay("data-sources:manage");
  const hrefOf = ({ id }: DataSource) => href(`/data-sources/${id}`);
  const connect = mayManage && (
    <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Plus}>
      Connect a data source
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    project === null && { title: "Project", from: "lg", sort: list.sortBy("project") },
    { title: "Kind", from: "md" },
    { title: "Server", from: "md", sort: list.sortBy("server") },
    { title: "Database", from: "sm", sort: list.sortBy("database") },
    { title: "Login", sort: list.sortBy("login", "desc") },
    { title: "Contracts", numeric: true, sort: list.sortBy("contracts", "desc") },
  ];

  return (
    <ListPage
      title="Data sources"
      things="data sources"
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={
        <SearchInput
          value={list.filters.q}
          onValueChange={(q) => list.set({ q })}
          label="Search data sources"
        />
      }
      actions={(page.totalCount > 0 || list.isFiltered) && connect}
      empty={{
        icon: Database,
        title: "No data sources yet",
        action: connect,
        children: `A data source is a database that contracts and queries read. A read-only login is enough.${
          mayManage ? "" : " An Admin can connect one."
        }`,
      }}
    >
      {(source, row) => (
        <Tr {...row}>
          <Td className="font-medium">
            <Link href={hrefOf(source)}>{source.name}</Link>
          </Td>
          {project === null && (
            <Td className="hidden text-ink-2 lg:table-cell">{nameOf(source.projectId)}</Td>
          )}
          <Td className="hidden text-ink-2 md:table-cell">{kindLabels[source.kind]}</Td>
          <Td className="hidden font-mono text-xs md:table-cell">{placeOf(source.connection)}</Td>
          <Td className="hidden font-mono text-xs sm:table-cell">{databaseOf(source)}</Td>
          <Td>{"database" in source.connection && <Access canWrite={source.canWrite} />}</Td>
          <Td numeric>{source.activeContractCount}</Td>
        </Tr>
      )}
    </ListPage>
  );
}
