"use client";
import type { KnownSchema } from "./use-database-schema.ts";
import { useRuleText } from "./use-rule-value.ts";

type Named = { schemaName: string; tableName: string };

/**
 * Another table that a rule names, for a `TableField`. No schema means `defaultSchema`; where tables cannot be read and
 * are typed, what was typed is shown.
 */
export function useNamedTable(
  index: number,
  keys: { schema: string; table: string },
  { schema, defaultSchema }: { schema: KnownSchema; defaultSchema: string },
) {
  const schemaName = useRuleText(index, keys.schema);
  const tableName = useRuleText(index, keys.table);
  const named: Named = { schemaName: schemaName.value || defaultSchema, tableName: tableName.value };
  return {
    named,
    set: (next: Named | null) => {
      schemaName.set(next && next.schemaName !== defaultSchema ? next.schemaName : null);
      tableName.set(next?.tableName ?? null);
    },
    field: {
      schema,
      value: schema.failure !== null ? { ...named, schemaName: schemaName.value } : named,
      error: tableName.error,
      schemaError: schemaName.error,
    },
  };
}
