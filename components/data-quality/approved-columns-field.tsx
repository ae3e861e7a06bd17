"use client";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { FieldError } from "@/components/ui/field.tsx";
import { Columns3 } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { type ColumnChange, columnChanges } from "@/server/data-quality/rules/column-changes.ts";
import { ApprovedColumns, ColumnChanges } from "./column-tables.tsx";
import { approvedColumnsIn } from "./configured-columns.ts";
import type { ContractForm } from "./contract-form.ts";
import { useRuleValue } from "./use-rule-value.ts";

/** The columns that a rule approves: one press takes those that the table has at this moment. */
export function ApprovedColumnsField({ index, name }: { index: number; name: string }) {
  const utils = trpc.useUtils();
  const { control, getValues } = useFormContext<ContractForm>();
  const [dataSourceId, tableName] = useWatch({ control, name: ["dataSourceId", "tableName"] });
  const { value, set, error } = useRuleValue(index, name);
  const columns = approvedColumnsIn(value);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [changes, setChanges] = useState<readonly ColumnChange[] | null>(null);

  const take = async () => {
    setReading(true);
    setFailure(null);
    try {
      const { schemaName, ...table } = getValues();
      const { items } = await utils.dataQuality.columns.fetch(
        {
          dataSourceId: table.dataSourceId ?? 0,
          ...(schemaName !== "" && { schemaName }),
          tableName: table.tableName,
        },
        { staleTime: 0 },
      );
      setChanges(columns.length > 0 ? columnChanges(columns, items) : null);
      set(items);
    } catch (problem) {
      setFailure(asSentence(messageOf(problem)));
    } finally {
      setReading(false);
    }
  };

  const hasTable = dataSourceId !== null && tableName !== "";
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {columns.length > 0 && <ApprovedColumns columns={columns} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="sm"
          icon={Columns3}
          pending={isReading}
          disabled={!hasTable}
          onClick={() => void take()}
        >
          {columns.length === 0 ? "Take the present columns" : "Approve as it is now"}
        </Button>
        <span role="status" className="text-xs text-ink-3">
          {statusOf({ hasTable, count: columns.length, changes })}
        </span>
      </div>
      {(failure || error) && (
        <FieldError>{failure ?? asSentence(`The list of approved columns ${error}`)}</FieldError>
      )}
      {changes !== null && changes.length > 0 && (
        <ColumnChanges changes={changes} title="Approved just now" />
      )}
    </div>
  );
}

function statusOf({
  hasTable,
  count,
  changes,
}: {
  hasTable: boolean;
  count: number;
  changes: readonly ColumnChange[] | null;
}): string {
  if (!hasTable) return "Select a table first.";
  if (changes?.length === 0) return "The table still has exactly these columns.";
  if (count > 0) return "Saved with the contract.";
  return "Reads the table's columns, with their types and nullability.";
}
