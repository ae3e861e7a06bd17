"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { ColumnField } from "./column-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import type { RuleContext } from "./rule-fields.tsx";
import { TableField } from "./table-field.tsx";
import { useRuleValue } from "./use-rule-value.ts";

/** Where a Referential rule's values must exist. A schema that is left empty is the contract's own. */
export function ReferenceFields({ index, context }: { index: number; context: RuleContext }) {
  const { control } = useFormContext<ContractForm>();
  const ownSchema = useWatch({ control, name: "schemaName" });
  const schemaName = useRuleValue(index, "referenceSchema");
  const tableName = useRuleValue(index, "referenceTable");
  const column = useRuleValue(index, "referenceColumn");
  const named = { schemaName: schemaName.value || ownSchema, tableName: tableName.value };
  const table = context.schema.table(named.schemaName, named.tableName);
  const isTyped = context.schema.failure !== null;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TableField
        label="Reference table"
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
            // Most references are to a key.
            const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey);
            column.set(keys.length === 1 ? (keys[0]?.name ?? "") : "");
          }
        }}
      />
      <ColumnField
        label="Reference column"
        value={column.value}
        onChange={column.set}
        groups={columnGroups("Referential", table?.columns ?? [])}
        isLoading={context.schema.isLoading}
        error={column.error}
      />
    </div>
  );
}
