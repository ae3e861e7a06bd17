"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { Button } from "@/components/ui/button.tsx";
import { FieldError } from "@/components/ui/field.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import { AddRuleMenu } from "./add-rule-menu.tsx";
import type { ContractForm } from "./contract-form.ts";
import { ContractTrial } from "./contract-trial.tsx";
import { EditorFindings } from "./editor-findings.tsx";
import type { RuleContext } from "./rule-context.ts";
import { RuleEditor } from "./rule-editor.tsx";
import { sharesOf } from "./rule-shares.ts";
import { SuggestRules } from "./suggest-rules.tsx";
import type { ToldRules } from "./told-rules.ts";
import { useRuleActions } from "./use-rule-actions.ts";
import { useTemplateRules } from "./use-template-rules.ts";
import { useTrials } from "./use-trials.ts";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

// With a parser that the form does not need.
const RulesYamlTab = dynamic(() => import("./rules-yaml-tab.tsx").then((module) => module.RulesYamlTab), {
  ssr: false,
  loading: () => <Skeleton className="h-64 w-full" />,
});

/** The contract's rules, in their order, as a form or as YAML. */
export function EditorRules({
  contractId,
  context,
  unfolded,
  sentences,
  onTakeFinding,
}: {
  /** Omitted for a new contract. */
  contractId: number | undefined;
  context: RuleContext;
  unfolded: UnfoldedRules;
  /** Sentences of the rules that the form begins with. */
  sentences: ToldRules;
  /** A finding's rule is in the contract, once it is saved. */
  onTakeFinding: (finding: Finding) => void;
}) {
  const { control, formState, getValues } = useFormContext<ContractForm>();
  const list = useFieldArray({ control, name: "rules" });
  const mayTry = useMay("evaluations:run");
  const trials = useTrials(list, unfolded);
  const { actions, add, take, told } = useRuleActions(list, unfolded, trials.tryRule);
  const rules = useWatch({ control, name: "rules" });
  const shares = sharesOf(rules.map((rule) => ({ ...rule, weight: Number(rule.weight) })));
  const problem = formState.errors.rules;
  const message = problem?.message ?? problem?.root?.message;
  const count = list.fields.length;
  const [view, setView] = useState(() => (getValues("rulesText") === null ? "form" : "yaml"));
  const show = (next: string) => {
    // What is wrong in the text is only there.
    if (getValues("rulesText") === null) setView(next);
    else document.querySelector<HTMLElement>('[aria-label="Rules as YAML"]')?.focus();
  };
  const { byKey: fromTemplate } = useTemplateRules(contractId);

  return (
    <EditorSection
      title={`Rules (${count})`}
      explanation="What must be true of the table. Each rule counts by weight × severity; disabled rules do not count."
    >
      <Tabs value={view} onValueChange={show}>
        <TabsList aria-label="Rules as">
          <TabsTrigger value="form">Form</TabsTrigger>
          <TabsTrigger value="yaml">YAML</TabsTrigger>
        </TabsList>
        <TabsContent value="form" className="flex flex-col gap-4">
          {count > 1 && (
            <div className="-mb-2 flex justify-end gap-1">
              <Button size="sm" variant="ghost" onClick={() => unfolded.setAll(count)}>
                Expand all
              </Button>
              <Button size="sm" variant="ghost" onClick={() => unfolded.setAll(0)}>
                Collapse all
              </Button>
            </div>
          )}
          {count > 0 ? (
            <ol>
              {list.fields.map(({ id }, index) => (
                <RuleEditor
                  key={id}
                  control={control}
                  fieldId={id}
                  index={index}
                  isLast={index === count - 1}
                  share={shares[index] ?? 0}
                  template={fromTemplate.get(rules[index]?.key ?? "")}
                  isOpen={unfolded.has(index)}
                  context={context}
                  contractId={contractId}
                  sentences={sentences}
                  trial={trials.of(id)}
                  actions={actions}
                />
              ))}
            </ol>
          ) : (
            <p className="text-ink-2">
              No rules yet. A contract needs at least one. Start with what would hurt most if it broke, or get
              suggestions from the table as it is.
            </p>
          )}
          {message && <FieldError>{message}</FieldError>}
          <div className="flex flex-wrap items-center gap-2">
            <AddRuleMenu isPrimary={count === 0} onAdd={add} />
            {mayTry && <SuggestRules onTake={take} />}
          </div>
          <EditorFindings
            onTake={(finding, rule) => {
              take([rule]);
              onTakeFinding(finding);
            }}
          />
          {mayTry && count > 0 && (
            <ContractTrial trial={trials.whole} isRunning={trials.isTryingAll} onTry={trials.tryAll} />
          )}
        </TabsContent>
        <TabsContent value="yaml" className="flex flex-col gap-4">
          <RulesYamlTab onChange={list.replace} />
          {message && <FieldError>{message}</FieldError>}
        </TabsContent>
      </Tabs>
      <div role="status" className="sr-only">
        {told}
      </div>
    </EditorSection>
  );
}
