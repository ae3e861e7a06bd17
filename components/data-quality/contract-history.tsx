"use client";
import { useState } from "react";
import { MarksLegend } from "@/components/subscriptions/marks-legend.tsx";
import { Button } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { ChartLine, Table2 } from "@/components/ui/icons.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { HistoryChart } from "./history-chart.tsx";
import { contractVersionMarks, type Point } from "./history-scale.ts";
import { HistoryTable } from "./history-table.tsx";

export const historyLengths = [20, 100, 500] as const;

/** A contract's evaluations as a chart or a table. Selecting one shows its rule results. */
export function ContractHistory({
  contract,
  evaluations,
  selectedId,
  onSelect,
  take,
  onTake,
}: {
  contract: Contract;
  /** Newest first. */
  evaluations: readonly Evaluation[];
  selectedId: number | undefined;
  onSelect: (evaluationId: number) => void;
  take: number;
  onTake: (take: number) => void;
}) {
  const [asTable, setAsTable] = useState(false);
  const points = evaluations.flatMap(({ id, evaluatedAt, overallScore, ...rest }): Point[] =>
    evaluatedAt === null || overallScore === null
      ? []
      : [{ id, at: evaluatedAt, score: overallScore, ...rest }],
  );
  return (
    <section aria-labelledby="history" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="history" className="text-sm font-semibold">
          History
        </h2>
        <span className="text-xs text-ink-3">
          {points.length < take ? plural(points.length, "evaluation") : `the last ${take} evaluations`}
        </span>
        <span className="flex-1" />
        {evaluations.length >= historyLengths[0] && (
          <Select
            aria-label="How many evaluations"
            size="sm"
            className="w-24"
            value={String(take)}
            onValueChange={(value) => onTake(Number(value))}
            options={historyLengths.map((length) => ({ value: String(length), label: `Last ${length}` }))}
          />
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={asTable ? ChartLine : Table2}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? "As a chart" : "As a table"}
        </Button>
      </div>
      {asTable ? (
        <HistoryTable
          points={points}
          evaluations={evaluations}
          threshold={contract.failureThreshold}
          selectedId={selectedId}
          onSelect={onSelect}
        />
      ) : (
        <>
          <HistoryChart
            points={points.toReversed()}
            threshold={contract.failureThreshold}
            selectedId={selectedId}
            onSelect={onSelect}
          />
          <MarksLegend
            thing="contract"
            hasVersions={contractVersionMarks(points.toReversed()).length > 0}
            hasIncidents={false}
          />
        </>
      )}
    </section>
  );
}
