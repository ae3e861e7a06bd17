"use client";
import { useFormContext, useWatch } from "react-hook-form";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { ColumnField } from "./column-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import type { RuleContext } from "./rule-context.ts";
import { TableField } from "./table-field.tsx";
import { useRuleText } from "./use-rule-value.ts";

/** Another table and one of its columns. An empty schema means the contract's own. */
export function ReferenceFields({
  index,
  name,
  field,
  context,
}: {
  index: number;
  name: string;
  field: Extract<RuleField, { kind: "table" }>;
  context: RuleContext;
}) {
  const { control } = useFormContext<ContractForm>();
  const ownSchema = useWatch({ control, name: "schemaName" });
  const schemaName = useRuleText(index, field.schema);
  const tableName = useRuleText(index, name);
  const column = useRuleText(index, field.column);
  const named = { schemaName: schemaName.value || ownSchema, tableName: tableName.value };
  const table = context.schema.table(named.schemaName, named.tableName);
  const isTyped = context.schema.failure !== null;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TableField
        label={field.label}
        schema={context.schema}
        value={isTyped ? { ...named, schemaName: schemaName.value } : named}
        schemaHint="The contract's own when empty"
        error={tableName.error}
        schemaError={schemaName.error}
        onChange={(next) => {
          schemaName.set(next.schemaName === ownSchema ? "" : next.schemaName);
          tableName.set(next.tableName);
          const columns = context.schema.table(next.schemaName, next.tableName)?.columns ?? [];
          if (columns.length > 0 && !columns.some(({ name }) => name === column.value)) {
            // Most references point to a primary key.
            const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey);
            column.set(keys.length === 1 ? (keys[0]?.name ?? "") : "");
          }
        }}
      />
      <ColumnField
        label="Reference column"
        value={column.value}
        onChange={column.set}
        groups={columnGroups(undefined, table?.columns ?? [])}
        isLoading={context.schema.isLoading}
        error={column.error}
      />
    </div>
  );
}
