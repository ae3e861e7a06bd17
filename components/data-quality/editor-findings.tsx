"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { useLatePart } from "@/components/ui/late-part.ts";
import type { Finding } from "@/server/findings/schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { lateRules } from "./late-rules.ts";

const shown = 10;

/** What looks wrong in the chosen table: each may become a rule of the contract. Nothing where there is nothing. */
export function EditorFindings({ onTake }: { onTake: (finding: Finding, rule: RuleForm) => void }) {
  const { control } = useFormContext<ContractForm>();
  const [dataSourceId, schemaName, tableName] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName"],
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
  const { part } = useLatePart(lateRules);
  if (!hasTable || !data || data.items.length === 0 || !part) return null;
  return <part.FindingRules {...data} onTake={onTake} />;
}
