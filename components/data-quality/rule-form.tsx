"use client";
import { useFormContext, useWatch } from "react-hook-form";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import { askedFields, type RuleType, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { ContractForm } from "./contract-form.ts";
import type { RuleContext } from "./rule-context.ts";
import { beginsWith, RuleFields } from "./rule-fields.tsx";
import { RuleMore } from "./rule-more.tsx";
import { RuleTypeField } from "./rule-type-field.tsx";

/**
 * One rule: it begins with what is checked, where, and the values that its type needs, and reads as a sentence. All else is
 * folded away, in words.
 */
export function RuleForm({
  index,
  context,
  sentenceId,
  types,
  share,
  contractId,
}: {
  index: number;
  context: RuleContext;
  sentenceId: string;
  /** Those offered. */
  types: readonly RuleType[];
  /** Percent of the score; omitted in a template. */
  share?: number;
  /** Of a stored contract. */
  contractId?: number | undefined;
}) {
  const { control } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const { type, configuration } = rule;
  const first = Object.fromEntries(
    Object.entries(askedFields(type, configuration)).filter(
      ([key, field]) => beginsWith(field) && !(key === "column" && context.fillsColumn),
    ),
  );
  return (
    <>
      <RuleFields
        key={type}
        {...{ index, context, fields: first }}
        lead={<RuleTypeField index={index} types={types} />}
      />
      <div className="flex flex-col gap-0.5 border-l-2 border-accent pl-3">
        <p id={sentenceId} className="max-w-prose text-sm break-words">
          {saidIn(rule, context)}.
        </p>
        <p className="max-w-prose text-xs text-ink-3">{ruleDefinition(type).explanation}</p>
      </div>
      <RuleMore key={`more ${type}`} {...{ index, context, share, contractId }} />
    </>
  );
}

/** A rule in words; in a template, with its column to be filled in. */
const saidIn = (rule: ContractForm["rules"][number], { fillsColumn }: RuleContext) =>
  ruleSentence(
    fillsColumn ? { ...rule, configuration: { ...rule.configuration, column: "{column}" } } : rule,
  );
