"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { cn } from "@/components/ui/class-names.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { IncidentProblem } from "@/server/incidents/schema.ts";
import { severityKinds } from "./incident-looks.ts";

/** Each subscription and contract that had a problem, with the reason of its latest run. */
export function IncidentProblems({ problems }: { problems: readonly IncidentProblem[] }) {
  const { href } = useProject();
  return (
    <section aria-labelledby="problems" className="flex min-w-0 flex-col gap-2">
      <h2 id="problems" className="text-sm font-semibold">
        Problems
      </h2>
      <Table label="What is wrong">
        <Thead>
          <tr>
            <Th>State</Th>
            <Th>What is wrong</Th>
            <Th className="hidden md:table-cell">Began</Th>
            <Th className="hidden md:table-cell">Seen</Th>
            <Th className="hidden lg:table-cell">Owner</Th>
          </tr>
        </Thead>
        <tbody>
          {problems.map((problem) => (
            <Tr key={problem.id} className={cn(problem.endedAt !== null && "text-ink-3")}>
              <Td className="align-top whitespace-nowrap">
                {problem.endedAt === null ? (
                  <Status kind={severityKinds[problem.severity]}>{problem.severity}</Status>
                ) : (
                  <Status kind={problem.ended === "recovered" ? "ok" : "neutral"}>
                    {problem.ended === "recovered" ? "Recovered" : "No longer checked"}
                  </Status>
                )}
              </Td>
              <Td className="w-full max-w-0 min-w-48">
                <Link href={href(problem.path)} className="block truncate font-medium hover:underline">
                  {problem.name}
                </Link>
                <span className="line-clamp-2 break-words text-ink-2">{problem.reason}</span>
                <span className="block truncate text-xs text-ink-3">
                  {problem.subject}
                  {problem.tables.map((table) => (
                    <span key={`${table.dataSourceId}.${table.schemaName}.${table.tableName}`}>
                      {" · "}
                      <Link
                        className="hover:underline"
                        href={href(
                          `/catalog/${table.dataSourceId}/${encodeURIComponent(table.schemaName)}/${encodeURIComponent(table.tableName)}`,
                        )}
                      >
                        {table.schemaName}.{table.tableName}
                      </Link>
                    </span>
                  ))}
                </span>
              </Td>
              <Td className="hidden align-top whitespace-nowrap text-ink-2 md:table-cell">
                <Moment at={problem.beganAt} />
              </Td>
              <Td className="hidden align-top whitespace-nowrap text-ink-2 md:table-cell">
                {problem.seenCount === 1 ? "once" : `${problem.seenCount} times`}
              </Td>
              <Td className="hidden align-top whitespace-nowrap lg:table-cell">
                {problem.owner ? (
                  <Name>{problem.owner.name}</Name>
                ) : (
                  <span className="text-ink-3">nobody</span>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
