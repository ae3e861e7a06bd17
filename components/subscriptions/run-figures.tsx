"use client";
import { useId, useState } from "react";
import { usualRange } from "@/components/anomalies/usual-range.ts";
import { Button } from "@/components/ui/button.tsx";
import { ChevronDown, ChevronRight } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";
import type { IncidentSpan } from "./chart-marks.ts";
import { incidentWords } from "./incident-words.ts";
import { Outcome } from "./outcome.tsx";
import { type PlottedMetric, valueLabel } from "./plotted-metric.ts";

/** The figures of the chart above it as a table, newest first, unfolded on request. */
export function RunFigures({
  executions,
  plotted,
  spans,
  onSelect,
}: {
  /** Newest first. */
  executions: readonly Execution[];
  plotted: PlottedMetric;
  /** Of the same runs, oldest first. */
  spans: readonly IncidentSpan[];
  onSelect: (executionId: number) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 self-start"
        icon={isOpen ? ChevronDown : ChevronRight}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        These figures as a table
      </Button>
      {isOpen && (
        <div id={id} className="max-h-96 min-w-0 overflow-y-auto px-2">
          <Table label="Figures of the chart">
            <Thead>
              <tr>
                <Th>Run</Th>
                <Th numeric>{plotted.label}</Th>
                <Th numeric>Usual</Th>
                <Th>Found, and told</Th>
                <Th>Marks</Th>
              </tr>
            </Thead>
            <tbody>
              {executions.map((run, place) => {
                const point = plotted.runs[place];
                const index = executions.length - 1 - place;
                return (
                  <Tr key={run.id}>
                    <Td>
                      <button
                        type="button"
                        className="cursor-pointer text-left hover:underline sm:whitespace-nowrap"
                        onClick={() => onSelect(run.id)}
                      >
                        <Moment at={run.executedAt} exact />
                      </button>
                    </Td>
                    <Td numeric>{point?.value == null ? "–" : valueLabel(plotted.metric, point.value)}</Td>
                    <Td numeric className="whitespace-nowrap text-ink-2">
                      {point?.usual ? usualRange(point.usual.low, point.usual.high) : "–"}
                    </Td>
                    <Td>
                      <Outcome outcome={run.outcome} />
                    </Td>
                    <Td className="text-ink-2">
                      {[
                        point?.isUnusual ? "anomaly" : null,
                        executions[place + 1] && executions[place + 1]?.queryVersion !== run.queryVersion
                          ? `version ${run.queryVersion}`
                          : null,
                        ...spans
                          .filter(({ from, to }) => from <= index && index <= to)
                          .map(({ kind }) => incidentWords[kind].word.toLowerCase()),
                      ]
                        .filter((mark) => mark !== null)
                        .join(", ") || "–"}
                    </Td>
                  </Tr>
                );
              })}
            </tbody>
          </Table>
        </div>
      )}
    </div>
  );
}
