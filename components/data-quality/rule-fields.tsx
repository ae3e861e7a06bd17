"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { Kind } from "@/server/data-sources/schema.ts";
import { ColumnField } from "./column-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import { ReferenceFields } from "./reference-fields.tsx";
import { type ConfigurationField, ruleTypeWords } from "./rule-types.ts";
import { SqlField } from "./sql-field.tsx";
import type { KnownSchema } from "./use-database-schema.ts";
import { useRuleValue } from "./use-rule-value.ts";

export type RuleContext = {
  schema: KnownSchema;
  /** The data source's engine; null while none is chosen. */
  engine: Kind | null;
};

/** What a rule is configured with: fields by its type. */
export function RuleFields({
  index,
  type,
  context,
}: {
  index: number;
  type: RuleType;
  context: RuleContext;
}) {
  if (type === "CustomSql") return <SqlField index={index} context={context} />;
  const fields = ruleTypeWords[type].fields;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {fields.some((field) => field.kind === "column") && (
          <div className="col-span-2">
            <OwnColumnField index={index} type={type} context={context} />
          </div>
        )}
        {type === "Pattern" && (
          <div className="col-span-2">
            <PatternField index={index} engine={context.engine} />
          </div>
        )}
        {fields
          .filter(({ kind }) => kind === "number" || kind === "decimal")
          .map((field) => (
            <NumberField key={field.key} index={index} field={field} />
          ))}
      </div>
      {type === "Referential" && <ReferenceFields index={index} context={context} />}
    </div>
  );
}

function OwnColumnField({ index, type, context }: { index: number; type: RuleType; context: RuleContext }) {
  const { control } = useFormContext<ContractForm>();
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { value, set, error } = useRuleValue(index, "column");
  const table = context.schema.table(schemaName, tableName);
  return (
    <ColumnField
      value={value}
      onChange={set}
      groups={columnGroups(type, table?.columns ?? [])}
      isLoading={context.schema.isLoading}
      error={error}
      hint={ruleTypeWords[type].fields.find((field) => field.key === "column")?.hint}
    />
  );
}

function NumberField({ index, field }: { index: number; field: ConfigurationField }) {
  const { value, set, onBlur, error } = useRuleValue(index, field.key);
  return (
    <Field
      label={field.unit ? `${field.label} (${field.unit})` : field.label}
      optional={field.optional ?? false}
      error={error}
      hint={field.hint}
    >
      <Input
        inputMode="decimal"
        className="tabular-nums"
        value={value}
        onChange={(event) => set(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}

const patternHints: Partial<Record<Kind, string>> = {
  PostgreSql: "A regular expression. ^ and $ hold it to the whole value: ^[A-Z]{3}$",
  MySql: "A regular expression. ^ and $ hold it to the whole value: ^[A-Z]{3}$",
  SqlServer: "For LIKE, over the whole value: % is any text and _ any character.",
};

function PatternField({ index, engine }: { index: number; engine: Kind | null }) {
  const { value, set, onBlur, error } = useRuleValue(index, "pattern");
  return (
    <Field label="Pattern" error={error} hint={engine ? patternHints[engine] : undefined}>
      <Input
        mono
        spellCheck={false}
        value={value}
        onChange={(event) => set(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}
