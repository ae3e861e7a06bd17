"use client";
import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { ruleDefinition, ruleDefinitions } from "@/server/data-quality/rules/rules.ts";
import { severities, severityMultiplier } from "@/server/data-quality/schema.ts";
import { isForOneTable } from "@/server/data-quality/templates/rule-for.ts";
import { emptyRule } from "./contract-form.ts";
import type { RuleContext } from "./rule-context.ts";
import { RuleFields } from "./rule-fields.tsx";
import { suggestedTemplateRuleName, type TemplateForm } from "./template-form.ts";

const types = ruleDefinitions.filter(({ type }) => !isForOneTable(type));

/** The rule that every match gets, without its column. */
export function TemplateRuleFields({ context }: { context: RuleContext }) {
  const { control, register, setValue } = useFormContext<TemplateForm>();
  const rule = useWatch({ control, name: "rules.0" });
  const severity = useController({ control, name: "rules.0.severity" }).field;
  const { errors } = useFormState({ control });
  const problems = errors.rules?.[0];
  const definition = ruleDefinition(rule.type);
  return (
    <EditorSection title="Rule" explanation={`${definition.explanation} ${definition.scoring}`}>
      <Field label="Type" error={problems?.type} className="sm:w-1/2">
        <Select
          value={rule.type}
          onValueChange={(chosen) => {
            const type = types.find((each) => each.type === chosen)?.type;
            if (!type) return;
            const { name, severity, weight } = rule;
            setValue("rules.0", { ...emptyRule(type), name, severity, weight }, { shouldDirty: true });
          }}
          options={types.map(({ type, label }) => ({ value: type, label }))}
        />
      </Field>
      <RuleFields key={rule.type} index={0} type={rule.type} context={context} />
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_7rem]">
        <Field
          label="Name in the contracts"
          className="max-sm:col-span-2"
          error={problems?.name}
          hint="{column}, {table}, and {schema} stand for the names. If empty, the name shown is used."
        >
          <Input {...register("rules.0.name")} placeholder={suggestedTemplateRuleName(rule)} />
        </Field>
        <Field label="Severity" error={problems?.severity}>
          <Select
            value={severity.value}
            onValueChange={severity.onChange}
            options={severities.map((each) => ({
              value: each,
              label: each,
              hint: `counts ${severityMultiplier[each]}×`,
            }))}
          />
        </Field>
        <Field label="Weight" error={problems?.weight} hint="0.1 to 10">
          <Input inputMode="decimal" className="tabular-nums" {...register("rules.0.weight")} />
        </Field>
      </div>
      {"query" in definition && (
        <p className="text-xs text-ink-3">
          In SQL, {"{table}"}, {"{column}"}, and {"{schema}"} stand for the names, quoted; the table with its
          schema.
        </p>
      )}
      {problems?.configuration?.message && <FieldError>{String(problems.configuration.message)}</FieldError>}
    </EditorSection>
  );
}
