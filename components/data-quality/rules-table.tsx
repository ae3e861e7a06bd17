"use client";
import { useState } from "react";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { ContractSeries } from "@/server/data-quality/history-schema.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import { RuleDetail } from "./rule-detail.tsx";
import { RuleRowLine } from "./rule-row-line.tsx";
import type { RuleRow } from "./rule-rows.ts";
import { useTemplateRules } from "./use-template-rules.ts";

/** The rules with the results of one evaluation; a row expands into its details. */
export function RulesTable({
  rows,
  evaluation,
  samples,
  series,
  contract,
  onApproved,
}: {
  rows: readonly RuleRow[];
  evaluation: Evaluation | undefined;
  samples: SampleMode;
  series?: ContractSeries;
  contract: Contract;
  onApproved: () => void;
}) {
  const { byKey: fromTemplate } = useTemplateRules(contract.id);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const toggle = (ruleId: number) =>
    setUnfolded((before) => {
      const after = new Set(before);
      if (!after.delete(ruleId)) after.add(ruleId);
      return after;
    });
  const keys = useRowKeys({
    count: rows.length,
    onOpen: (index) => {
      const row = rows[index];
      if (row) toggle(row.rule.id);
    },
  });
  const isEvaluated = evaluation !== undefined;
  return (
    <Table label="Rules">
      <Thead>
        <tr>
          <Th>
            <span className="max-sm:sr-only">Result</span>
          </Th>
          <Th>Rule</Th>
          <Th className="hidden lg:table-cell">Weight × severity</Th>
          <Th numeric className="hidden md:table-cell">
            Share
          </Th>
          {isEvaluated && (
            <>
              <Th numeric>Score</Th>
              <Th numeric title="Points of the overall score that the rule takes away">
                Costs
              </Th>
              <Th className="hidden md:table-cell">Observed, expected</Th>
              <Th className="hidden lg:table-cell">Last runs</Th>
            </>
          )}
        </tr>
      </Thead>
      <tbody>
        {rows.flatMap((row, index) => {
          const { id } = row.rule;
          const isOpen = unfolded.has(id);
          const detailId = `rule-${id}`;
          return [
            <RuleRowLine
              key={id}
              row={row}
              isEvaluated={isEvaluated}
              isOpen={isOpen}
              detailId={detailId}
              onToggle={() => toggle(id)}
              isFromTemplate={fromTemplate.has(row.rule.key)}
              {...keys.row(index)}
            />,
            isOpen && (
              <tr key={detailId} id={detailId} className="border-b bg-sunken">
                <td colSpan={isEvaluated ? 8 : 4} className="max-w-0 p-0">
                  <RuleDetail
                    row={row}
                    evaluation={evaluation}
                    samples={samples}
                    series={series}
                    contract={contract}
                    template={fromTemplate.get(row.rule.key)}
                    onApproved={onApproved}
                  />
                </td>
              </tr>
            ),
          ];
        })}
      </tbody>
    </Table>
  );
}
