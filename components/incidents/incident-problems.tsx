"use client";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { formatNumber } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { NearRows } from "@/components/ui/near-rows.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { IncidentProblem } from "@/server/incidents/schema.ts";
import { mostAtFirst } from "./first-problems.ts";
import { severityKinds } from "./incident-looks.ts";

/** Of more than `mostAtFirst`, a few are shown, so that what comes below the list is not far away. */
const shownOfMany = 20;

/** With a reason of one line. */
const rowHeight = 61;

type Props = { incidentId: number; first: readonly IncidentProblem[]; count: number };

/** Each subscription and contract that had a problem, with the reason of its latest run; of many, the rest when asked for. */
export function IncidentProblems({ incidentId, first, count }: Props) {
  const { href } = useProject();
  const [isUnfolded, setIsUnfolded] = useState(false);
  const areMany = count > mostAtFirst;
  const { data, error, isFetching, refetch } = trpc.incidents.get.useQuery(
    { id: incidentId },
    { enabled: areMany && isUnfolded, refetchInterval: 60_000 },
  );
  const all = areMany ? data?.problems : first;
  const problems = all ?? first.slice(0, shownOfMany);
  return (
    <section aria-labelledby="problems" className="flex min-w-0 flex-col gap-2">
      <h2 id="problems" className="text-sm font-semibold">
        Problems
      </h2>
      <Table label="What is wrong" rows={count}>
        <Thead>
          <tr>
            <Th>State</Th>
            <Th>What is wrong</Th>
            <Th className="hidden md:table-cell">Began</Th>
            <Th className="hidden md:table-cell">Seen</Th>
            <Th className="hidden lg:table-cell">Owner</Th>
          </tr>
        </Thead>
        <NearRows items={problems} rowHeight={rowHeight}>
          {(problem, _, measured) => (
            <Tr key={problem.id} {...measured} className={cn(problem.endedAt !== null && "text-ink-3")}>
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
          )}
        </NearRows>
      </Table>
      {!all && (
        <Button
          className="self-start"
          pending={isFetching}
          onClick={() => (error ? void refetch() : setIsUnfolded(true))}
        >
          Show all {formatNumber(count)}
        </Button>
      )}
      {error && !all && (
        <p role="alert" className="text-critical">
          {messageOf(error)}
        </p>
      )}
    </section>
  );
}
