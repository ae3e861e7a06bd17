"use client";
import { Database, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { isRest } from "@/server/data-sources/schema.ts";
import { useMay } from "../auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { holdsWords } from "../ui/matching.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Table, Td, Th, Thead, Tr } from "../ui/table.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSearch } from "../ui/use-search.ts";
import { useSort } from "../ui/use-sort.ts";
import { Access } from "./access.tsx";
import { placeOf } from "./address.ts";
import { kindNames } from "./kind-names.ts";

type DataSource = Outputs["dataSources"]["list"]["items"][number];

const databaseOf = ({ connection }: DataSource) => (isRest(connection) ? "" : connection.database);

export function DataSourcesTable() {
  const input = useProjectInput();
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(input);
  const [{ items: quality }] = trpc.dataQuality.overview.useSuspenseQuery(input);
  const contracts = new Map(quality.map((each) => [each.dataSourceId, each.activeContractCount]));
  const { nameOf } = useProjects();
  const { project, href } = useProject();
  const mayManage = useMay("data-sources:manage");
  const router = useRouter();
  const [search, setSearch] = useSearch();
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
  const rows = sort.rows(
    items.filter(({ name, connection, projectId }) =>
      holdsWords(`${name} ${Object.values(connection).join(" ")} ${nameOf(projectId)}`, search),
    ),
  );
  const keys = useRowKeys({
    count: rows.length,
    onOpen: (index) => {
      const source = rows[index];
      if (source) router.push(href(`/data-sources/${source.id}`));
    },
  });
  const connect = mayManage && (
    <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Plus}>
      Connect a data source
    </ButtonLink>
  );

  if (items.length === 0)
    return (
      <>
        <PageHeader title="Data sources" />
        <Empty icon={Database} title="No data source yet" action={connect}>
          A data source is a database whose tables contracts watch. A login that may only read is enough.
          {!mayManage && " An Admin can connect one."}
        </Empty>
      </>
    );

  return (
    <>
      <PageHeader
        title="Data sources"
        count={items.length}
        filters={<SearchInput value={search} onValueChange={setSearch} label="Search data sources" />}
        actions={connect}
      />
      {rows.length === 0 ? (
        <p className="border-t py-4 text-ink-2">No data source holds “{search}”.</p>
      ) : (
        <Table label="Data sources">
          <Thead>
            <tr>
              <Th sort={sort.of("name")}>Name</Th>
              {project === null && (
                <Th sort={sort.of("project")} className="hidden lg:table-cell">
                  Project
                </Th>
              )}
              <Th className="hidden md:table-cell">Kind</Th>
              <Th sort={sort.of("server")} className="hidden md:table-cell">
                Server
              </Th>
              <Th sort={sort.of("database")} className="hidden sm:table-cell">
                Database
              </Th>
              <Th sort={sort.of("access")}>Login</Th>
              <Th sort={sort.of("contracts")} numeric>
                Contracts
              </Th>
            </tr>
          </Thead>
          <tbody>
            {rows.map((source, index) => (
              <Tr key={source.id} {...keys.row(index)}>
                <Td className="font-medium">
                  <Link href={href(`/data-sources/${source.id}`)}>{source.name}</Link>
                </Td>
                {project === null && (
                  <Td className="hidden text-ink-2 lg:table-cell">{nameOf(source.projectId)}</Td>
                )}
                <Td className="hidden text-ink-2 md:table-cell">{kindNames[source.kind]}</Td>
                <Td className="hidden font-mono text-xs md:table-cell">{placeOf(source.connection)}</Td>
                <Td className="hidden font-mono text-xs sm:table-cell">{databaseOf(source)}</Td>
                <Td>{!isRest(source.connection) && <Access canWrite={source.canWrite} />}</Td>
                <Td numeric>{contracts.get(source.id) ?? 0}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
