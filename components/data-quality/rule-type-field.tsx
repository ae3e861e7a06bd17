"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import { type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { type ContractForm, ruleOfType } from "./contract-form.ts";

/** What a rule checks. With another type it is another rule, which keeps what both have. */
export function RuleTypeField({ index, types }: { index: number; types: readonly RuleType[] }) {
  const { control, getValues, setValue, clearErrors, formState } = useFormContext<ContractForm>();
  const type = useWatch({ control, name: `rules.${index}.type` });
  return (
    <Field label="Check" error={formState.errors.rules?.[index]?.type}>
      <Select
        value={type}
        onValueChange={(chosen) => {
          if (chosen === type) return;
          setValue(`rules.${index}`, ruleOfType(getValues(`rules.${index}`), chosen), { shouldDirty: true });
          clearErrors(`rules.${index}`);
        }}
        options={types.map((each) => ({ value: each, label: ruleDefinition(each).label }))}
      />
    </Field>
  );
}
