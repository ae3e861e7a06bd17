"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { FindingLine } from "@/components/findings/finding-line.tsx";
import { Button } from "@/components/ui/button.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Check, Plus } from "@/components/ui/icons.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { hasRule, ruleOfFinding } from "./finding-rule.ts";

/** Open findings in the chosen table, each with the rule that it would be. */
export function FindingRules({
  items,
  totalCount,
  onTake,
}: {
  items: readonly Finding[];
  totalCount: number;
  onTake: (finding: Finding, rule: RuleForm) => void;
}) {
  const { control } = useFormContext<ContractForm>();
  const rules = useWatch({ control, name: "rules" });
  return (
    <div className="rounded-md border px-3 pt-2">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">
        Open findings in this table{" "}
        <span className="font-normal text-ink-3 tabular-nums">{formatNumber(totalCount)}</span>
      </h3>
      <ul aria-label="Open findings" className="-mb-px border-t">
        {items.map((finding) => {
          const rule = ruleOfFinding(finding);
          const isTaken = rule !== null && hasRule(rules, rule);
          return (
            <FindingLine
              key={finding.id}
              finding={finding}
              action={
                rule && (
                  <Button
                    size="sm"
                    icon={isTaken ? Check : Plus}
                    aria-disabled={isTaken}
                    aria-label={isTaken ? `Added: ${rule.name}` : `Add rule: ${rule.name}`}
                    variant={isTaken ? "ghost" : "secondary"}
                    onClick={() => !isTaken && onTake(finding, rule)}
                  >
                    {isTaken ? "Added" : "Add rule"}
                  </Button>
                )
              }
            />
          );
        })}
      </ul>
    </div>
  );
}
