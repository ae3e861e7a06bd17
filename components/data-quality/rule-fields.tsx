"use client";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import type { Dialect } from "@/server/data-sources/dialects/dialect.ts";
import { dialectOf } from "@/server/data-sources/dialects/dialects.ts";
import { AnyTableField } from "./any-table-field.tsx";
import { ApprovedColumnsField } from "./approved-columns-field.tsx";
import { ChoicesField } from "./choices-field.tsx";
import { ColumnField } from "./column-field.tsx";
import { ColumnsField } from "./columns-field.tsx";
import { ConditionField } from "./condition-field.tsx";
import type { ContractForm } from "./contract-form.ts";
import { columnGroups } from "./fitting-columns.ts";
import { ReferenceFields } from "./reference-fields.tsx";
import type { RuleContext } from "./rule-context.ts";
import { SqlField } from "./sql-field.tsx";
import { typedDecimal, typedNumber } from "./typed-number.ts";
import { useRuleText, useTypedValue } from "./use-rule-value.ts";
import { ValuesField } from "./values-field.tsx";

type FieldOf<Kind extends RuleField["kind"]> = Extract<RuleField, { kind: Kind }>;

/** Whether a field is among those that a rule begins with; the others have a default that is mostly wanted. */
export const beginsWith = ({ kind, optional }: RuleField): boolean => kind !== "choice" || !optional;

/** Fields of a rule's configuration. Small ones share a row; `lead` comes first, in that row if it is the first one. */
export function RuleFields({
  index,
  context,
  fields: named,
  lead,
}: {
  index: number;
  context: RuleContext;
  fields: Readonly<Record<string, RuleField>>;
  lead?: ReactNode;
}) {
  const fields = Object.entries(named);
  const small = fields.filter(([, { kind }]) => !isWide(kind));
  const choices = fields.filter(([, { kind }]) => kind === "choice");
  const [firstSmall] = small;
  const leads = lead !== undefined && fields[0]?.[0] === firstSmall?.[0];
  if (fields.length === 0 && lead === undefined) return null;
  return (
    <div className="flex flex-col gap-4">
      {lead !== undefined && (fields.length === 0 || !leads) && (
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-6">
          <div className="col-span-2">{lead}</div>
        </div>
      )}
      {fields.map(([key, field]) => {
        const at = { index, name: key, context };
        // Small fields are in one row, where the first of them is.
        if (key === firstSmall?.[0])
          return (
            <div key={key} className="grid grid-cols-2 gap-4 sm:grid-cols-6">
              {leads && <div className="col-span-2">{lead}</div>}
              {small.map(([name, each]) => (
                <SmallField key={name} index={index} name={name} field={each} context={context} />
              ))}
            </div>
          );
        if (field.kind === "columns") return <ColumnsField key={key} {...at} field={field} />;
        if (field.kind === "values")
          return (
            <ValuesField
              key={key}
              {...{ index, name: key, label: field.label, hint: field.hint }}
              optional={field.optional ?? false}
            />
          );
        if (field.kind === "table") return <ReferenceFields key={key} {...at} field={field} />;
        if (field.kind === "anyTable") return <AnyTableField key={key} {...at} field={field} />;
        if (field.kind === "choices") return <ChoicesField key={key} {...{ index, name: key, field }} />;
        if (field.kind === "approvedColumns")
          return <ApprovedColumnsField key={key} {...{ index, name: key }} />;
        if (field.kind === "choice")
          return choices.length > 1 ? null : (
            <div key={key} className="sm:w-1/2">
              <ChoiceField {...at} field={field} />
            </div>
          );
        if (field.kind === "condition")
          return (
            <ConditionField
              key={key}
              {...{ index, name: key, label: field.label, hint: field.hint }}
              {...(key === "where" ? shortCondition : longCondition)}
            />
          );
        return field.kind === "sql" ? <SqlField key={key} {...at} /> : null;
      })}
      {choices.length > 1 && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          {choices.map(([key, field]) =>
            field.kind === "choice" ? (
              <ChoiceField key={key} {...{ index, name: key, context, field }} />
            ) : null,
          )}
        </div>
      )}
    </div>
  );
}

const shortCondition = { rows: 2, placeholder: "status <> 'draft'" };
const longCondition = { rows: 3, placeholder: "paid_at >= ordered_at" };

/** Field kinds that take the full width. */
const isWide = (kind: RuleField["kind"]) =>
  [
    ...["columns", "approvedColumns", "values", "table", "anyTable", "ofTable", "dataSource"],
    ...["condition", "choice", "choices", "sql"],
  ].includes(kind);

type At = { index: number; name: string; context: RuleContext };

function SmallField({ field, ...at }: At & { field: RuleField }) {
  if (field.kind === "number" || field.kind === "decimal")
    return (
      <div className={field.unit ? "col-span-2" : undefined}>
        <NumberField {...at} field={field} />
      </div>
    );
  return (
    <div className="col-span-2">
      {field.kind === "column" && <OwnColumnField {...at} field={field} />}
      {field.kind === "pattern" && <PatternField {...at} field={field} />}
    </div>
  );
}

function OwnColumnField({ index, name, field, context }: At & { field: FieldOf<"column"> }) {
  const { control } = useFormContext<ContractForm>();
  const [schemaName, tableName] = useWatch({ control, name: ["schemaName", "tableName"] });
  const { value, set, error } = useRuleText(index, name);
  const table = context.schema.table(schemaName, tableName);
  return (
    <ColumnField
      label={field.label}
      value={value}
      onChange={set}
      groups={columnGroups(field.suits, table?.columns ?? [])}
      isLoading={context.schema.isLoading}
      error={error}
      hint={field.hint}
    />
  );
}

function NumberField({ index, name, field }: At & { field: FieldOf<"number" | "decimal"> }) {
  const read = field.kind === "number" ? typedNumber : typedDecimal;
  const { typed, type, onBlur, error } = useTypedValue(index, name, read);
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
        value={typed}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}

/** An option that stands for nothing chosen: the select has no empty value. */
const nothing = "nothing";

function ChoiceField({ index, name, field }: At & { field: FieldOf<"choice"> }) {
  const { value, set, error } = useRuleText(index, name);
  return (
    <Field label={field.label} error={error} hint={field.hint}>
      <Select
        value={value || field.options[0]?.value || nothing}
        onValueChange={(chosen) => set(chosen === nothing ? "" : chosen)}
        options={field.options.map(({ value, label }) => ({ value: value || nothing, label }))}
      />
    </Field>
  );
}

const patternHints: Record<Dialect["pattern"]["language"], string> = {
  regex: "A regular expression. ^ and $ hold it to the whole value: ^[A-Z]{3}$",
  like: "For LIKE, over the whole value: % is any text and _ any character.",
};

function PatternField({ index, name, field, context: { engine } }: At & { field: FieldOf<"pattern"> }) {
  const { value, set, onBlur, error } = useRuleText(index, name);
  const dialect = engine && dialectOf(engine);
  return (
    <Field
      label={field.label}
      error={error}
      hint={dialect ? patternHints[dialect.pattern.language] : undefined}
    >
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
