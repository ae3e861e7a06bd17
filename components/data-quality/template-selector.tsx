"use client";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { CronField } from "@/components/cron/cron-field.tsx";
import { TimezoneField } from "@/components/cron/timezone-field.tsx";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { TemplateForm } from "./template-form.ts";

/** Which tables and columns the rule is for. */
export function TemplateSelector({ sources }: { sources: readonly DataSource[] }) {
  const { control, register, formState } = useFormContext<TemplateForm>();
  const { errors } = formState;
  const ids = useController({ control, name: "dataSourceIds" }).field;
  const toggle = (id: number, isChosen: boolean) =>
    ids.onChange(isChosen ? [...ids.value, id] : ids.value.filter((each) => each !== id));
  return (
    <EditorSection
      title="For"
      explanation={
        <>
          One pattern per line. <Code>*</Code> is any text, <Code>?</Code> one character, <Code>\</Code> takes
          the next character literally, and a leading <Code>!</Code> leaves names out. Upper and lower case
          are the same.
        </>
      }
    >
      {sources.length > 1 && (
        <fieldset className="flex flex-col gap-1">
          <legend className="pb-1 text-xs font-medium text-ink-2">
            Data sources{ids.value.length === 0 && ": all"}
          </legend>
          {sources.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={ids.value.includes(id)}
              onCheckedChange={(isChosen) => toggle(id, isChosen)}
            />
          ))}
          {errors.dataSourceIds?.message && <FieldError>{errors.dataSourceIds.message}</FieldError>}
        </fieldset>
      )}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Field label="Schemas" error={errors.schemas} hint="All when empty">
          <Textarea mono rows={3} spellCheck={false} {...register("schemas")} placeholder="sales*" />
        </Field>
        <Field label="Tables" error={errors.tables} hint="All when empty">
          <Textarea mono rows={3} spellCheck={false} {...register("tables")} placeholder={"*\n!tmp_*"} />
        </Field>
        <Field label="Tags" error={errors.tags} hint="Any when empty; tables get tags in the catalog">
          <Textarea mono rows={3} spellCheck={false} {...register("tags")} placeholder="pii" />
        </Field>
        <Field label="Columns" error={errors.columns} hint="Empty for a rule about the table">
          <Textarea mono rows={3} spellCheck={false} {...register("columns")} placeholder="*_id" />
        </Field>
      </div>
    </EditorSection>
  );
}

/** What happens to matching tables that have no contract. */
export function TemplateNewContracts() {
  const { control, formState } = useFormContext<TemplateForm>();
  const { errors } = formState;
  const creates = useController({ control, name: "createsContracts" }).field;
  const cron = useController({ control, name: "cronExpression" }).field;
  const zone = useController({ control, name: "timezone" }).field;
  const isOn = useWatch({ control, name: "createsContracts" });
  return (
    <EditorSection
      title="Tables without a contract"
      explanation="By default they are left alone: the rule is added once someone writes a contract."
    >
      <Checkbox
        label="Create contracts for matching tables that never had one"
        hint="Also for tables that come later. Contracts that were archived are not created again; views get none."
        checked={creates.value}
        onCheckedChange={creates.onChange}
      />
      {isOn && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <CronField
            value={cron.value}
            onChange={cron.onChange}
            onBlur={cron.onBlur}
            error={errors.cronExpression}
          />
          <TimezoneField value={zone.value} onChange={zone.onChange} error={errors.timezone} />
        </div>
      )}
    </EditorSection>
  );
}
