"use client";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { useRuleValue } from "./use-rule-value.ts";

/** Some of a few options, in their order. */
export function ChoicesField({
  index,
  name,
  field: { label, hint, options },
}: {
  index: number;
  name: string;
  field: Extract<RuleField, { kind: "choices" }>;
}) {
  const id = useId();
  const { value, set, error } = useRuleValue(index, name);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const change = (option: string, isChosen: boolean) => {
    const next = options
      .map((each) => each.value)
      .filter((each) => (each === option ? isChosen : chosen.includes(each)));
    set(next.length === 0 ? null : next);
  };
  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 text-xs font-medium text-ink-2">{label}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={chosen.includes(option.value)}
            onCheckedChange={(isChosen) => change(option.value, isChosen)}
          />
        ))}
      </div>
      <p id={`${id}-hint`} className={error ? "text-xs text-critical" : "text-xs text-ink-3"}>
        {error ?? hint}
      </p>
    </fieldset>
  );
}
