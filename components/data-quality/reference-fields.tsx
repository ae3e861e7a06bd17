"use client";
import { useFormContext, useWatch } from "react-hook-form";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { ColumnField } from "./column-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import type { RuleContext } from "./rule-context.ts";
import { TableField } from "./table-field.tsx";
import { useNamedTable } from "./use-named-table.ts";
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
  const { schema } = context;
  const other = useNamedTable(
    index,
    { schema: field.schema, table: name },
    { schema, defaultSchema: ownSchema },
  );
  const column = useRuleText(index, field.column);
  const table = schema.table(other.named.schemaName, other.named.tableName);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TableField
        label={field.label}
        {...other.field}
        schemaHint="The contract's own when empty"
        onChange={(next) => {
          other.set(next);
          const columns = schema.table(next.schemaName, next.tableName)?.columns ?? [];
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
        isLoading={schema.isLoading}
        error={column.error}
      />
    </div>
  );
}
