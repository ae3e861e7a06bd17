"use client";
import { useController, useFormContext, useFormState, useWatch } from "react-hook-form";
import { Field, FieldError } from "@/components/ui/field.tsx";
import { formatFixed, formatPercent } from "@/components/ui/format.ts";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { severities, severityMultiplier } from "@/server/data-quality/severities.ts";
import type { ContractForm } from "./contract-form.ts";
import { suggestedRuleName } from "./rule-words.ts";
import { suggestedTemplateRuleName } from "./template-form.ts";

const naming = {
  contract: { label: "Name", hint: "Shown in alerts. If empty, the name shown is used." },
  template: {
    label: "Name in the contracts",
    hint: "{column}, {table}, and {schema} stand for the names. If empty, the name shown is used.",
  },
};

/** What every rule has: a name and a weight. */
export function RuleBasics({
  index,
  share,
  isTemplate,
}: {
  index: number;
  /** Percent of the score; omitted in a template. */
  share: number | undefined;
  isTemplate: boolean;
}) {
  const { control, register } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const severity = useController({ control, name: `rules.${index}.severity` }).field;
  const threshold = Number(useWatch({ control, name: "failureThreshold" }) || Number.NaN);
  const { errors } = useFormState({ control });
  const problems = errors.rules?.[index];
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_7rem]">
        <Field
          {...naming[isTemplate ? "template" : "contract"]}
          className="max-sm:col-span-2"
          error={problems?.name}
        >
          <Input
            {...register(`rules.${index}.name`)}
            placeholder={isTemplate ? suggestedTemplateRuleName(rule) : suggestedRuleName(rule)}
          />
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
          <Input inputMode="decimal" className="tabular-nums" {...register(`rules.${index}.weight`)} />
        </Field>
      </div>
      <p className="text-xs text-ink-2 tabular-nums">
        {ruleDefinition(rule.type).scoring}{" "}
        {share !== undefined &&
          (rule.enabled
            ? `Counts for ${formatPercent(share)} of the score: a complete failure costs ${formatFixed(share, 2)} points${consequence(100 - share, threshold)}.`
            : "Disabled: skipped and not counted in the score.")}
      </p>
      {problems?.key?.message && <FieldError>This rule {problems.key.message}</FieldError>}
    </div>
  );
}

/** Whether a failure of this rule alone would fail the contract. */
function consequence(scoreLeft: number, threshold: number): string {
  if (!Number.isFinite(threshold)) return "";
  const left = formatFixed(scoreLeft, 2);
  return scoreLeft < threshold
    ? `, and alone brings the score to ${left}, below the threshold`
    : `, and alone leaves a score of ${left}, which still meets the threshold`;
}
