"use client";
import { formatScore, ScoreStatusWord } from "@/components/data-quality/score.tsx";
import { tablesStatusOf } from "@/components/data-quality/score-status.ts";
import { useProject, useProjects } from "@/components/projects/use-project.ts";
import type { Outputs } from "@/components/trpc/client.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";

type Source = Outputs["catalog"]["sources"]["items"][number];

/** The data sources, each with its coverage. Keyboard navigation is for the tables below. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  const { project, href } = useProject();
  const { projects, nameOf } = useProjects();
  const showProject = project === null && projects.length > 1;
  return (
    <Table label="Data sources">
      <Thead>
        <tr>
          <Th>Data source</Th>
          {showProject && <Th className="hidden lg:table-cell">Project</Th>}
          <Th className="hidden md:table-cell">Kind</Th>
          <Th numeric>Tables</Th>
          <Th numeric className="hidden sm:table-cell">
            Documented
          </Th>
          <Th>Quality</Th>
          <Th numeric className="hidden md:table-cell">
            Active contracts
          </Th>
          <Th className="hidden sm:table-cell">Schema read</Th>
        </tr>
      </Thead>
      <tbody>
        {sources.map((source) => (
          <Tr key={source.id}>
            <Td className="font-medium">
              <Link href={href(`/catalog/${source.id}`)} className="hover:underline">
                {source.name}
              </Link>
            </Td>
            {showProject && <Td className="hidden text-ink-2 lg:table-cell">{nameOf(source.projectId)}</Td>}
            <Td className="hidden text-ink-2 md:table-cell">{kindLabels[source.kind]}</Td>
            <Td numeric>{source.readAt === null ? "–" : formatNumber(source.tableCount)}</Td>
            <Td numeric className="hidden sm:table-cell">
              {source.tableCount === 0
                ? "–"
                : `${formatNumber(source.documentedCount)} of ${formatNumber(source.tableCount)}`}
            </Td>
            <Td className="whitespace-nowrap">
              {source.averageScore === null ? (
                <span className="text-ink-3">Not scored</span>
              ) : (
                <span className="inline-flex items-center gap-2">
                  <span className="tabular-nums">{formatScore(source.averageScore)}</span>
                  <span className="max-sm:hidden">
                    <ScoreStatusWord
                      status={tablesStatusOf({
                        tableCount: source.scoredCount,
                        healthyTables: source.healthyCount,
                        outageTables: source.outageCount,
                      })}
                    />
                  </span>
                </span>
              )}
            </Td>
            <Td numeric className="hidden md:table-cell">
              {formatNumber(source.activeContractCount)}
            </Td>
            <Td className="hidden text-ink-2 sm:table-cell">
              <Moment at={source.readAt} fallback="not yet" />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
