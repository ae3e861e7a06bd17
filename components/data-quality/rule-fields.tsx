"use client";
import { Fragment, useState } from "react";
import { get, useFormContext, useFormState, useWatch } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { ChevronRight } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { isAsked, type RuleField } from "@/server/data-quality/rules/fields.ts";
import { hasOptions, optionFields, optionsInWords } from "@/server/data-quality/rules/rule-options.ts";
import { askedFields, type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
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
import { valueWords } from "./rule-words.ts";
import { SqlField } from "./sql-field.tsx";
import { typedDecimal, typedNumber } from "./typed-number.ts";
import { useRuleText, useTypedValue } from "./use-rule-value.ts";
import { UsualBacktest } from "./usual-backtest.tsx";
import { ValuesField } from "./values-field.tsx";

type FieldOf<Kind extends RuleField["kind"]> = Extract<RuleField, { kind: Kind }>;

type Place = { index: number; type: RuleType; context: RuleContext };

/** The fields of a rule's configuration, as defined by its type, with the options folded away unless some are set. */
export function RuleFields({ index, type, context }: Place) {
  const { control } = useFormContext<ContractForm>();
  const configuration = useWatch({ control, name: `rules.${index}.configuration` });
  const options = optionFields(ruleDefinition(type), configuration);
  return (
    <div className="flex flex-col gap-4">
      <Fields index={index} context={context} fields={fieldsIn(context, askedFields(type, configuration))} />
      {Object.keys(options).length > 0 && <RuleOptionFields {...{ index, type, context, options }} />}
    </div>
  );
}

const fieldsIn = ({ fillsColumn }: RuleContext, { column, ...fields }: Record<string, RuleField>) =>
  column === undefined || fillsColumn ? fields : { column, ...fields };

function RuleOptionFields({ index, type, context, options }: Place & { options: Record<string, RuleField> }) {
  const { control } = useFormContext<ContractForm>();
  const [configuration] = useWatch({ control, name: [`rules.${index}.configuration`] });
  const { errors } = useFormState({ control, name: `rules.${index}.configuration` });
  const problems: unknown = get(errors, `rules.${index}.configuration`);
  const definition = ruleDefinition(type);
  const asked = Object.fromEntries(
    Object.entries(options).filter(([, field]) => isAsked(field, options, configuration)),
  );
  const isSet = hasOptions(definition, withoutNull(configuration));
  const isWrong = Object.keys(options).some((key) => get(problems, key) !== undefined);
  const [isOpen, setOpen] = useState(isSet);
  const words = optionsInWords(
    definition,
    Object.fromEntries(Object.keys(options).map((key) => [key, valueWords(configuration[key])])),
  );
  return (
    <details
      className="group text-sm"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex w-fit cursor-pointer list-none items-start gap-1 rounded-sm text-ink-2 hover:text-ink">
        <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3 group-open:rotate-90" />
        <span className="min-w-0 break-words">
          {"maxFailingRows" in options
            ? "Which rows, and how many may fail"
            : "usual" in options
              ? "What is usual, and which rows"
              : "Which rows"}
          {words && <span className="text-ink-3">: {words}</span>}
        </span>
      </summary>
      <div className="flex flex-col gap-4 pt-4">
        {optionRows.map((keys) => (
          <Fragment key={keys[0]}>
            <Fields index={index} context={context} fields={among(asked, keys)} />
            {keys.includes("usualWidth") && (configuration.usual ?? null) !== null && (
              <UsualBacktest index={index} />
            )}
          </Fragment>
        ))}
      </div>
    </details>
  );
}

/** The options that belong together, in order. */
const optionRows = [
  ["usual"],
  ["usualWidth"],
  ["where"],
  ["lastHours", "timeColumn"],
  ["duplicatesAmong"],
  ["groupBy"],
  ["maxFailingRows", "maxFailingPercent"],
];

const among = (fields: Readonly<Record<string, RuleField>>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key)));

const withoutNull = (configuration: ContractForm["rules"][number]["configuration"]) =>
  Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== null));

function Fields({
  index,
  context,
  fields: named,
}: {
  index: number;
  context: RuleContext;
  fields: Readonly<Record<string, RuleField>>;
}) {
  const fields = Object.entries(named);
  const small = fields.filter(([, { kind }]) => !isWide(kind));
  const choices = fields.filter(([, { kind }]) => kind === "choice");
  const [firstSmall] = small;
  return (
    <div className="flex flex-col gap-4">
      {fields.map(([key, field]) => {
        const at = { index, name: key, context };
        // Small fields are in one row, where the first of them is.
        if (key === firstSmall?.[0])
          return (
            <div key={key} className="grid grid-cols-2 gap-4 sm:grid-cols-4">
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
  if (field.kind === "number" || field.kind === "decimal") return <NumberField {...at} field={field} />;
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
