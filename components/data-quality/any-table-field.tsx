"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { isDatabaseKind, isRest } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import type { RuleContext } from "./rule-context.ts";
import { TableField } from "./table-field.tsx";
import { useDatabaseSchema } from "./use-database-schema.ts";
import { useNamedTable } from "./use-named-table.ts";
import { useRuleValue } from "./use-rule-value.ts";

/** A table in any database of the contract's project. No data source means the contract's own. */
export function AnyTableField({
  index,
  name,
  field,
  context,
}: {
  index: number;
  name: string;
  field: Extract<RuleField, { kind: "anyTable" }>;
  context: RuleContext;
}) {
  const { control } = useFormContext<ContractForm>();
  const [ownId, ownSchema, ownTable] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName"],
  });
  const source = useRuleValue(index, field.dataSource);
  const key = useRuleValue(index, "key");
  const otherId = typeof source.value === "number" ? source.value : null;
  const others = useDatabaseSchema(otherId);
  const schema = otherId === null ? context.schema : others;
  const { data } = trpc.dataSources.list.useQuery({});
  const items = data?.items ?? [];
  const defaultSchema =
    otherId === null ? ownSchema : defaultSchemaOf(items.find(({ id }) => id === otherId));
  const other = useNamedTable(index, { schema: field.schema, table: name }, { schema, defaultSchema });

  const choose = (id: number | null) => {
    if (id === otherId) return;
    source.set(id);
    other.set(null);
  };
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SourceSelect items={items} ownId={ownId} value={otherId} onChange={choose} error={source.error} />
      <TableField
        label={field.label}
        {...other.field}
        schemaHint={
          otherId === null ? "The contract's own when empty" : "The data source's default when empty"
        }
        onChange={(next) => {
          other.set(next);
          // Most tables are compared by the primary key.
          const columns = context.schema.table(ownSchema, ownTable)?.columns ?? [];
          const primary = columns.filter((column) => column.isPrimaryKey).map((column) => column.name);
          if (key.value === null && primary.length > 0) key.set(primary);
        }}
      />
    </div>
  );
}

function defaultSchemaOf(source: DataSource | undefined): string {
  const dialect = source ? dialectOf(source.kind) : null;
  return source && dialect && !isRest(source.connection) ? dialect.defaultSchema(source.connection) : "";
}

/** The databases of the project of the contract's own data source, which comes first. */
function SourceSelect({
  items,
  ownId,
  value,
  onChange,
  error,
}: {
  items: readonly DataSource[];
  ownId: number | null;
  value: number | null;
  onChange: (id: number | null) => void;
  error: string | undefined;
}) {
  const own = items.find(({ id }) => id === ownId);
  const others = items.filter(
    ({ id, kind, projectId }) => id !== ownId && isDatabaseKind(kind) && projectId === own?.projectId,
  );
  const options = [
    { value: "own", label: own ? `${own.name} (the contract's own)` : "The contract's own" },
    ...others.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <Field label="Data source of the other table" error={error}>
      <Select
        value={value === null ? "own" : String(value)}
        onValueChange={(chosen) => onChange(chosen === "own" ? null : Number(chosen))}
        options={options}
      />
    </Field>
  );
}
