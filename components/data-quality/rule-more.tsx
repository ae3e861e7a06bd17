"use client";
import { Fragment, useState } from "react";
import { get, useFormContext, useFormState, useWatch } from "react-hook-form";
import { ChevronRight } from "@/components/ui/icons.tsx";
import { isAsked, type RuleField } from "@/server/data-quality/rules/fields.ts";
import { optionFields } from "@/server/data-quality/rules/rule-options.ts";
import { moreInWords } from "@/server/data-quality/rules/rule-sentence.ts";
import { askedFields, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { ContractForm } from "./contract-form.ts";
import { RuleBasics } from "./rule-basics.tsx";
import type { RuleContext } from "./rule-context.ts";
import { beginsWith, RuleFields } from "./rule-fields.tsx";
import { RuleKnownFailures, useKnownFailuresOf } from "./rule-known-failures.tsx";
import { UsualBacktest } from "./usual-backtest.tsx";

/** All that a rule can say beside what it begins with. While it is folded, what is set is told in words. */
export function RuleMore({
  index,
  context,
  share,
  contractId,
}: {
  index: number;
  context: RuleContext;
  share: number | undefined;
  contractId: number | undefined;
}) {
  const { control } = useFormContext<ContractForm>();
  const rule = useWatch({ control, name: `rules.${index}` });
  const { errors } = useFormState({ control, name: `rules.${index}` });
  const { type, configuration, name } = rule;
  const definition = ruleDefinition(type);
  const options = optionFields(definition, configuration);
  const own = Object.entries(askedFields(type, configuration)).filter(([, field]) => !beginsWith(field));
  const fields: Record<string, RuleField> = {
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      Object.entries(options).filter(([, field]) => isAsked(field, options, configuration)),
    ),
  };
  const problems: unknown = get(errors, `rules.${index}`);
  const isWrong =
    ["name", "severity", "weight", "key"].some((key) => get(problems, key) !== undefined) ||
    Object.keys(fields).some((key) => get(problems, `configuration.${key}`) !== undefined);
  const [isOpen, setOpen] = useState(false);
  const known = useKnownFailuresOf(contractId, rule.key);
  const words = [
    context.fillsColumn && name.trim() && `“${name.trim()}”`,
    moreInWords(rule),
    known.length > 0 && (known.length === 1 ? "1 known failure" : `${known.length} known failures`),
  ].filter(Boolean);
  return (
    <details
      className="group text-sm"
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-start gap-1 rounded-sm text-ink-2 hover:text-ink">
        <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3 group-open:rotate-90" />
        <span className="min-w-0 break-words">
          More
          <span className="text-ink-3">
            {words.length > 0 ? `: ${words.join(", ")}` : `: ${offered(options)}`}
          </span>
        </span>
      </summary>
      <div className="flex flex-col gap-5 pt-4">
        {[own.map(([key]) => key), ...optionRows].map((keys) => (
          <Fragment key={keys.join(" ")}>
            <RuleFields {...{ index, context, fields: among(fields, keys) }} />
            {isOpen && keys.includes("usualWidth") && (configuration.usual ?? null) !== null && (
              <UsualBacktest index={index} />
            )}
          </Fragment>
        ))}
        <RuleBasics {...{ index, share }} isTemplate={context.fillsColumn ?? false} />
        <RuleKnownFailures contractId={contractId} ruleKey={rule.key} known={known} />
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

/** What can be said there, while nothing is. */
function offered(options: Readonly<Record<string, RuleField>>): string {
  const parts = [
    "usual" in options && "what is usual",
    "where" in options && "which rows",
    "groupBy" in options && "groups",
    "maxFailingRows" in options && "how many may fail",
    "name",
    "severity",
    "weight",
  ];
  return parts.filter(Boolean).join(", ");
}
