"use client";
import { cn } from "@/components/ui/class-names.ts";
import { formatDuration } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import { Status, StatusIcon } from "@/components/ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import { costText } from "@/server/data-sources/cost.ts";
import type { Point } from "./history-scale.ts";
import { formatScore } from "./score.tsx";
import { movedBy, scoreStatusOf } from "./score-status.ts";

/** The chart's numbers as a table, newest first. */
export function HistoryTable({
  points,
  evaluations,
  threshold,
  selectedId,
  onSelect,
}: {
  points: readonly Point[];
  evaluations: readonly Evaluation[];
  threshold: number;
  selectedId: number | undefined;
  onSelect: (evaluationId: number) => void;
}) {
  const evaluated = new Map(evaluations.map((each) => [each.id, each]));
  const hasCosts = evaluations.some(({ cost }) => cost !== null);
  return (
    <div className="max-h-80 overflow-y-auto">
      <Table label="Evaluations">
        <Thead>
          <tr>
            <Th>Evaluated</Th>
            <Th numeric>Score</Th>
            <Th numeric>Change</Th>
            <Th>Threshold</Th>
            <Th numeric>Passed</Th>
            <Th numeric>Failed</Th>
            <Th numeric>Version</Th>
            <Th>Started</Th>
            <Th numeric>Took</Th>
            {hasCosts && <Th numeric>Cost</Th>}
          </tr>
        </Thead>
        <tbody>
          {points.map((point, index) => {
            const outage = point.notEvaluatedBecause;
            const { kind, word } = scoreStatusOf(point.score, threshold);
            const { executionTimeMs: duration, cost } = evaluated.get(point.id) ?? {};
            return (
              <Tr key={point.id} selected={point.id === selectedId}>
                <Td className="whitespace-nowrap">
                  <button
                    type="button"
                    aria-pressed={point.id === selectedId}
                    className="rounded-sm hover:underline"
                    onClick={() => onSelect(point.id)}
                  >
                    <Moment at={point.at} exact />
                  </button>
                </Td>
                {outage === null ? (
                  <>
                    <Td numeric>{formatScore(point.score)}</Td>
                    <Td numeric className="text-ink-2">
                      {changeText(point.score, previousScore(points, index))}
                    </Td>
                    <Td>
                      <Status kind={kind}>{word}</Status>
                    </Td>
                    <Td numeric>{point.passedCount}</Td>
                    <Td numeric className={cn(point.failedCount > 0 && "font-medium")}>
                      {point.failedCount}
                    </Td>
                  </>
                ) : (
                  <Td colSpan={5} className="max-w-0 min-w-64 truncate" title={outage}>
                    <StatusIcon kind="stalled" className="mr-1.5 inline-block align-text-bottom" />
                    <span className="text-ink-2">Could not be evaluated: {outage}</span>
                  </Td>
                )}
                <Td numeric className="text-ink-2">
                  {point.version ?? "–"}
                </Td>
                <Td className="whitespace-nowrap text-ink-2">
                  {point.trigger === "Manual" ? "manually" : "on schedule"}
                </Td>
                <Td numeric className="text-ink-2">
                  {duration == null ? "–" : formatDuration(duration)}
                </Td>
                {hasCosts && (
                  <Td numeric className="whitespace-nowrap text-ink-2">
                    {cost ? costText(cost) : "–"}
                  </Td>
                )}
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

/** The score of the previous measured evaluation; the points are newest first. */
function previousScore(points: readonly Point[], index: number): number | undefined {
  return points.slice(index + 1).find(({ notEvaluatedBecause }) => notEvaluatedBecause === null)?.score;
}

function changeText(score: number, previous: number | undefined): string {
  if (previous === undefined) return "–";
  const moved = movedBy(score, previous) ?? 0;
  if (moved === 0) return "0.00";
  return `${score > previous ? "+" : "−"}${formatScore(moved)}`;
}
