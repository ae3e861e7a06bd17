"use client";
import { Database, Plus } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { isServer } from "@/server/data-sources/schema.ts";
import { useMay } from "../auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { ButtonLink } from "../ui/button.tsx";
import type { Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { containsWords } from "../ui/matching.ts";
import { SearchInput } from "../ui/search-input.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { searchOnly, useListFilters } from "../ui/use-list-filters.ts";
import { useSort } from "../ui/use-sort.ts";
import { Access } from "./access.tsx";
import { placeOf } from "./address.ts";

type DataSource = Outputs["dataSources"]["list"]["items"][number];

const databaseOf = ({ connection }: DataSource) => (isServer(connection) ? connection.database : "");

export function DataSourcesTable() {
  const input = useProjectInput();
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(input);
  const [{ items: quality }] = trpc.dataQuality.overview.useSuspenseQuery(input);
  const contracts = new Map(quality.map((each) => [each.dataSourceId, each.activeContractCount]));
  const { nameOf } = useProjects();
  const { project, href } = useProject();
  const mayManage = useMay("data-sources:manage");
  const list = useListFilters(searchOnly);
  const sort = useSort(
    {
      name: (source: DataSource) => source.name,
      project: (source) => nameOf(source.projectId),
      server: (source) => placeOf(source.connection),
      database: (source) => databaseOf(source),
      access: (source) => source.canWrite,
      contracts: (source) => contracts.get(source.id) ?? 0,
    },
    "name",
    ["access", "contracts"],
  );
  const found = items.filter(({ name, connection, projectId }) =>
    containsWords(`${name} ${Object.values(connection).join(" ")} ${nameOf(projectId)}`, list.filters.q),
  );
  const hrefOf = ({ id }: DataSource) => href(`/data-sources/${id}`);
  const connect = mayManage && (
    <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Plus}>
      Connect a data source
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Name", sort: sort.of("name") },
    project === null && { title: "Project", from: "lg", sort: sort.of("project") },
    { title: "Kind", from: "md" },
    { title: "Server", from: "md", sort: sort.of("server") },
    { title: "Database", from: "sm", sort: sort.of("database") },
    { title: "Login", sort: sort.of("access") },
    { title: "Contracts", numeric: true, sort: sort.of("contracts") },
  ];

  return (
    <ListPage
      title="Data sources"
      things="data sources"
      columns={columns}
      rows={sort.rows(found)}
      all={items.length}
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
      actions={items.length > 0 && connect}
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
          <Td>{isServer(source.connection) && <Access canWrite={source.canWrite} />}</Td>
          <Td numeric>{contracts.get(source.id) ?? 0}</Td>
        </Tr>
      )}
    </ListPage>
  );
}
