"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";

/** The latest evaluations of the task's contract. */
export function TaskEvaluations({ contractId }: { contractId: number }) {
  const { href } = useProject();
  const evaluations = trpc.dataQuality.evaluations.useQuery(
    { id: contractId, take: 10 },
    { refetchInterval: 30_000 },
  );
  if (evaluations.error) {
    const { message, requestId } = factsOf(evaluations.error);
    return <ErrorState message={message} requestId={requestId} onRetry={() => void evaluations.refetch()} />;
  }
  if (!evaluations.data) return <Skeleton className="h-48 w-full" />;
  return (
    <section aria-labelledby="evaluations" className="flex min-w-0 flex-col gap-2">
      <h2 id="evaluations" className="text-sm font-semibold">
        <Link href={href(`/data-quality/contracts/${contractId}`)} className="hover:underline">
          What the contract measured
        </Link>
      </h2>
      <Table label="Latest evaluations">
        <Thead>
          <tr>
            <Th>Evaluated</Th>
            <Th numeric>Score</Th>
            <Th>Rules</Th>
          </tr>
        </Thead>
        <tbody>
          {evaluations.data.items.map((evaluation) => (
            <Tr key={evaluation.id}>
              <Td className="whitespace-nowrap">
                <Moment at={evaluation.evaluatedAt} fallback="running" />
              </Td>
              <Td numeric>
                {evaluation.overallScore === null || evaluation.couldNotEvaluate
                  ? "–"
                  : formatNumber(evaluation.overallScore, 2)}
              </Td>
              <Td className="w-full text-ink-2">
                {evaluation.couldNotEvaluate
                  ? evaluation.notEvaluatedBecause
                  : `${plural(evaluation.failedCount, "rule")} failed, ${evaluation.passedCount} passed`}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
