"use client";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { Plus, X } from "@/components/ui/icons.tsx";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { ColumnField } from "./column-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import type { RuleContext } from "./rule-context.ts";
import { useRuleValue } from "./use-rule-value.ts";

/** Several columns of the contract's table. Empty rows are not part of the value. */
export function ColumnsField({
  index,
  name,
  context,
  field: { label, hint, fewest = 2, most = Number.POSITIVE_INFINITY },
}: {
  index: number;
  name: string;
  context: RuleContext;
  field: Extract<RuleField, { kind: "columns" }>;
}) {
  const blank = Array.from({ length: fewest }, () => "");
  const { control } = useFormContext<ContractForm>();
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { value, set, error } = useRuleValue(index, name);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const [places, setPlaces] = useState<readonly string[]>(blank);
  const filled = places.filter((each) => each !== "");
  const isOwn = JSON.stringify(filled) === JSON.stringify(chosen);
  const shown = isOwn ? places : [...chosen, ...blank.slice(chosen.length)];
  const change = (next: readonly string[]) => {
    setPlaces(next);
    const columns = next.filter((each) => each !== "");
    set(columns.length === 0 ? null : columns);
  };
  const columns = context.schema.table(schemaName, tableName)?.columns ?? [];
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {shown.map((column, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified only by position
          <div key={place} className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <ColumnField
                label={
                  fewest > 1 ? `Column ${place + 1}` : place === 0 ? label : `${label}, column ${place + 1}`
                }
                value={column}
                onChange={(next) => change(shown.with(place, next))}
                groups={columnGroups(undefined, columns)}
                isLoading={context.schema.isLoading}
                error={place === 0 ? error : undefined}
                hint={place === 0 ? hint : undefined}
              />
            </div>
            {shown.length > fewest && (
              <Button
                variant="ghost"
                size="icon-sm"
                icon={X}
                className="mt-6"
                aria-label={`Remove column ${place + 1}`}
                onClick={() => change(shown.toSpliced(place, 1))}
              />
            )}
          </div>
        ))}
      </div>
      {shown.length < most && (
        <Button icon={Plus} size="sm" className="self-start" onClick={() => change([...shown, ""])}>
          Add column
        </Button>
      )}
    </div>
  );
}
