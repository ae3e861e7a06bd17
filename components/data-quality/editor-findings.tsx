"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { FindingLine } from "@/components/findings/finding-line.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { Check, Plus } from "@/components/ui/icons.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { hasRule, ruleOfFinding } from "./finding-rule.ts";

const shown = 10;

/** What looks wrong in the chosen table: each may become a rule of the contract. Nothing where there is nothing. */
export function EditorFindings({ onTake }: { onTake: (finding: Finding, rule: RuleForm) => void }) {
  const { control } = useFormContext<ContractForm>();
  const [dataSourceId, schemaName, tableName, rules] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName", "rules"],
  });
  const hasTable = dataSourceId !== null && tableName.trim() !== "";
  const { data } = trpc.findings.list.useQuery(
    {
      ...(dataSourceId !== null && { dataSourceId }),
      ...(schemaName !== "" && { schemaName }),
      ...{ tableName, status: "Open", page: 0, pageSize: shown },
    },
    { enabled: hasTable },
  );
  if (!hasTable || !data || data.items.length === 0) return null;
  return (
    <div className="rounded-md border px-3 pt-2">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">
        Open findings in this table{" "}
        <span className="font-normal text-ink-3 tabular-nums">{formatNumber(data.totalCount)}</span>
      </h3>
      <ul aria-label="Open findings" className="-mb-px border-t">
        {data.items.map((finding) => {
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
