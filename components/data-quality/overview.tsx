"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { inProject } from "@/components/projects/project-filter.ts";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { plural } from "@/components/ui/format.ts";
import { Copy, Database, FilePlus2, ShieldCheck } from "@/components/ui/icons.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { Coverage } from "./coverage.tsx";
import { overviewQuery } from "./overview-query.ts";
import {
  inOrder,
  isFound,
  matchesUncovered,
  type SourceQuality,
  type TableRow,
  tableRows,
  type UncoveredTable,
} from "./overview-rows.ts";
import { tableLegend } from "./score-status.ts";
import { SourceFilter } from "./source-filter.tsx";
import { SourceTables } from "./source-tables.tsx";
import { useOverviewFilters } from "./use-overview-filters.ts";

const every30s = { refetchInterval: 30_000 };

/** Every watched table by data source, with its score. */
export function Overview() {
  const { project, href } = useProject();
  const input = useProjectInput();
  const overviewInput = { ...input, ...overviewQuery };
  const router = useRouter();
  const mayWrite = useMay("contracts:configure");
  const [{ items: sources }] = trpc.dataQuality.overview.useSuspenseQuery(overviewInput, every30s);
  const [{ items: known }] = trpc.dataSources.list.useSuspenseQuery(input);
  const { projects, nameOf } = useProjects();
  const list = useOverviewFilters();
  const { filters, input: search } = list;
  const isCut = sources.some(
    ({ coverage }) => coverage && coverage.tableCount - coverage.coveredCount > coverage.uncovered.length,
  );
  // The overview includes only some of the tables without a contract, so the server searches all of them.
  const searched = trpc.dataQuality.overview.useQuery(
    { ...overviewInput, search },
    { enabled: isCut && search !== "", placeholderData: keepPreviousData },
  );
  const uncoveredOf = (source: SourceQuality) => {
    const found = filters.q === "" ? undefined : searched.data?.items;
    const { coverage } = found?.find(({ dataSourceId }) => dataSourceId === source.dataSourceId) ?? source;
    return (coverage?.uncovered ?? []).filter((table) => matchesUncovered(table, filters.q));
  };

  const sections = sources
    .filter(({ dataSourceId }) => dataSourceId === (filters.source ?? dataSourceId))
    .map((source) => ({
      source,
      uncovered: uncoveredOf(source),
      rows: inOrder(
        tableRows(source).filter((row) => isFound(row, filters.q)),
        filters.sort,
        filters.direction,
      ),
    }))
    .filter(({ rows, uncovered }) => filters.q === "" || rows.length > 0 || uncovered.length > 0);

  const all = sections.flatMap(({ source, rows }) =>
    rows.map((row) => ({ row, dataSourceId: source.dataSourceId })),
  );
  const contractCount = sources
    .flatMap((source) => tableRows(source))
    .reduce((sum, row) => sum + row.contractCount, 0);
  const hasContracts = contractCount > 0;
  const projectOf = (dataSourceId: number) => {
    const projectId = known.find(({ id }) => id === dataSourceId)?.projectId;
    return project !== null || projects.length < 2 || projectId === undefined ? null : nameOf(projectId);
  };
  /** null for users who may not create contracts. */
  const newHrefOf = (dataSourceId: number) => {
    if (!mayWrite) return null;
    return ({ schemaName, tableName }: UncoveredTable) => {
      const query = new URLSearchParams({
        source: String(dataSourceId),
        schema: schemaName,
        table: tableName,
      });
      return href(`/data-quality/contracts/new?${query}`);
    };
  };
  const hrefOf = (row: TableRow, dataSourceId: number) => {
    const [only] = row.contracts;
    if (only && row.contractCount === 1) return href(`/data-quality/contracts/${only.id}`);
    const query = new URLSearchParams({
      source: String(dataSourceId),
      q: `${row.schemaName}.${row.tableName}`,
    });
    return `/data-quality/contracts?${query}${project === null ? "" : `&project=${project}`}`;
  };
  const firstIndex = sections.map((_, section) =>
    sections.slice(0, section).reduce((sum, { rows }) => sum + rows.length, 0),
  );
  const toRow = useRef<(((index: number) => void) | null)[]>([]);
  const keys = useRowKeys({
    count: all.length,
    reveal: (index) => {
      const section = firstIndex.findLastIndex((first) => first <= index);
      toRow.current[section]?.(index - (firstIndex[section] ?? 0));
    },
    onOpen: (index) => {
      const opened = all[index];
      if (opened) router.push(hrefOf(opened.row, opened.dataSourceId));
    },
  });

  return (
    <>
      <PageHeader
        title="Data quality"
        count={hasContracts ? `${plural(all.length, "table")} watched` : undefined}
        filters={
          hasContracts && (
            <>
              <SourceFilter
                sources={sources.map(({ dataSourceId, dataSourceName }) => ({
                  id: dataSourceId,
                  name: dataSourceName,
                }))}
                value={filters.source}
                onChange={(source) => list.set({ source })}
              />
              <SearchInput label="Search tables" value={filters.q} onValueChange={(q) => list.set({ q })} />
            </>
          )
        }
        actions={
          hasContracts && (
            <>
              <ButtonLink href={href("/data-quality/templates")} icon={Copy}>
                Rule templates
              </ButtonLink>
              {mayWrite && (
                <ButtonLink href={href("/data-quality/contracts/new")} variant="primary" icon={FilePlus2}>
                  New contract
                </ButtonLink>
              )}
            </>
          )
        }
      />
      {!hasContracts ? (
        <>
          <NoContractsYet project={project} />
          {sources.map((source) => (
            <section
              key={source.dataSourceId}
              aria-labelledby={`source-${source.dataSourceId}`}
              className="flex flex-col gap-2 py-4"
            >
              <h2 id={`source-${source.dataSourceId}`} className="text-sm font-semibold break-words">
                {source.dataSourceName}
              </h2>
              <Coverage
                source={source}
                uncovered={source.coverage?.uncovered ?? []}
                isSearch={false}
                newHref={newHrefOf(source.dataSourceId)}
              />
            </section>
          ))}
        </>
      ) : sections.length === 0 ? (
        <Empty
          title="No tables match these filters"
          action={<Button onClick={list.reset}>Clear filters</Button>}
        >
          {filters.q === ""
            ? "This data source was not found."
            : `Nothing here has “${filters.q}” in its name or in the name of a contract.`}
        </Empty>
      ) : (
        <div className="flex flex-col gap-8">
          {sections.map(({ source, rows, uncovered }, section) => (
            <SourceTables
              key={source.dataSourceId}
              source={source}
              rows={rows}
              uncovered={uncovered}
              projectName={projectOf(source.dataSourceId)}
              newHref={newHrefOf(source.dataSourceId)}
              list={list}
              reveal={(reveal) => {
                toRow.current[section] = reveal;
              }}
              rowProps={(index) => keys.row((firstIndex[section] ?? 0) + index)}
              hrefOf={(row) => hrefOf(row, source.dataSourceId)}
              contractHref={(id) => href(`/data-quality/contracts/${id}`)}
            />
          ))}
          <p className="text-xs text-ink-3">
            A table's score is that of its latest evaluation by any contract, from 0 to 100. {tableLegend}
          </p>
        </div>
      )}
    </>
  );
}

/** The two steps to the first score; the first one is hidden once done. */
function NoContractsYet({ project }: { project: number | null }) {
  const { href } = useProject();
  const mayWrite = useMay("contracts:configure");
  const mayConnect = useMay("data-sources:manage");
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery(inProject(project));
  const connect = sources.length === 0;
  return (
    <Empty
      icon={connect ? Database : ShieldCheck}
      title={connect ? "No data source is connected" : "No table is watched yet"}
      action={
        connect
          ? mayConnect && (
              <ButtonLink href={href("/data-sources/new")} variant="primary" icon={Database}>
                Connect a data source
              </ButtonLink>
            )
          : mayWrite && (
              <ButtonLink href={href("/data-quality/contracts/new")} variant="primary" icon={FilePlus2}>
                Create the first contract
              </ButtonLink>
            )
      }
    >
      <p>
        A data contract states what must be true of one table: how fresh it is, how many rows it has, which
        values may be missing. It is evaluated on a schedule and scored from 0 to 100. This page shows every
        watched table with its score and trend.
      </p>
      <p className="pt-2">
        {connect
          ? "Start by connecting a data source: the database that holds the table."
          : `${plural(sources.length, "data source is", "data sources are")} connected. Choose a table and state what you rely on.`}
      </p>
    </Empty>
  );
}
