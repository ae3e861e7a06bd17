"use client";
import { useId } from "react";
import { useFormContext, useFormState, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { FieldError } from "@/components/ui/field.tsx";
import { ruleDefinition, ruleTypes } from "@/server/data-quality/rules/rules.ts";
import { isForOneTable } from "@/server/data-quality/templates/rule-for.ts";
import type { RuleContext } from "./rule-context.ts";
import { RuleForm } from "./rule-form.tsx";
import type { TemplateForm } from "./template-form.ts";

const types = ruleTypes.filter((type) => !isForOneTable(type));

/** The rule that every match gets, without its column. */
export function TemplateRuleFields({ context }: { context: RuleContext }) {
  const { control } = useFormContext<TemplateForm>();
  const type = useWatch({ control, name: "rules.0.type" });
  const { errors } = useFormState({ control });
  const problem = errors.rules?.[0]?.configuration?.message;
  return (
    <EditorSection title="Rule" explanation="What the template checks in every table that it matches.">
      <RuleForm index={0} context={context} sentenceId={useId()} types={types} />
      {"query" in ruleDefinition(type) && (
        <p className="text-xs text-ink-3">
          In SQL, {"{table}"}, {"{column}"}, and {"{schema}"} stand for the names, quoted; the table with its
          schema.
        </p>
      )}
      {problem && <FieldError>{String(problem)}</FieldError>}
    </EditorSection>
  );
}
