"use client";
import { Check, Plus, Sparkles } from "lucide-react";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { plural } from "@/components/ui/format.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { Suggestions } from "@/server/data-quality/suggest/schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { configurationWords, ruleTypeWords } from "./rule-types.ts";
import { formOfSuggestion, isAmong, type Suggestion } from "./suggested-rules.ts";

/** Reads the chosen table and proposes rules for it, each with what speaks for it; what is taken can be edited. */
export function SuggestRules({ onTake }: { onTake: (rules: RuleForm[]) => void }) {
  const { control } = useFormContext<ContractForm>();
  const [dataSourceId, schemaName, tableName] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName"],
  });
  const [isOpen, setIsOpen] = useState(false);
  const suggest = trpc.dataQuality.suggestRules.useMutation();
  const hasTable = dataSourceId !== null && tableName.trim() !== "";
  const ask = () => {
    if (dataSourceId === null) return;
    suggest.mutate({ dataSourceId, ...(schemaName !== "" && { schemaName }), tableName });
  };
  const { error } = suggest;
  return (
    <>
      <Button
        icon={Sparkles}
        disabled={!hasTable}
        title={hasTable ? undefined : "Choose a table first"}
        onClick={() => {
          setIsOpen(true);
          ask();
        }}
      >
        Suggest rules
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title={`Suggested rules for ${tableName}`}
        description="What is true of the table today, and may be meant to stay so."
      >
        {suggest.isPending || suggest.isIdle ? (
          <>
            <p role="status" className="text-sm text-ink-2">
              Reading the table once, and trying what could hold. This may take half a minute.
            </p>
            <SkeletonRows rows={4} columns={2} />
          </>
        ) : error ? (
          <ErrorState
            title="The table could not be read"
            message={asSentence(messageOf(error))}
            requestId={factsOf(error).requestId}
            onRetry={ask}
          />
        ) : (
          suggest.data && <SuggestionList suggestions={suggest.data} onTake={onTake} />
        )}
        <DialogFooter>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    </>
  );
}

function SuggestionList({
  suggestions: { items, note },
  onTake,
}: {
  suggestions: Suggestions;
  onTake: (rules: RuleForm[]) => void;
}) {
  const { control } = useFormContext<ContractForm>();
  const rules = useWatch({ control, name: "rules" });
  const open = items.filter((item) => !isAmong(item, rules));
  const take = (some: Suggestion[]) => onTake(some.map(formOfSuggestion));
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <p role="status" className="min-w-0 flex-1 text-ink-2">
          {items.length === 0
            ? "Nothing can be said of this table that would make a useful rule. An empty table says nothing; add rules by hand."
            : `${plural(items.length, "rule")}, ${items.length - open.length} of them in the contract.`}
        </p>
        {open.length > 1 && (
          <Button icon={Plus} size="sm" variant="primary" onClick={() => take(open)}>
            Add all {open.length}
          </Button>
        )}
      </div>
      {items.length > 0 && (
        <ul aria-label="Suggestions" className="border-t">
          {items.map((item) => {
            const isTaken = !open.includes(item);
            const { rule, evidence, passes } = item;
            return (
              <li
                key={JSON.stringify([rule.type, rule.configuration])}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-2 text-sm"
              >
                <span className="min-w-0 flex-1 basis-56">
                  <span className="block font-medium break-words">{rule.name}</span>
                  <span className="block text-xs break-words text-ink-3">
                    {ruleTypeWords[rule.type].label}: {configurationWords(rule)}
                  </span>
                  <span className="block pt-0.5 text-xs break-words text-ink-2">{evidence}</span>
                </span>
                {!passes && <Status kind="warning">Fails today</Status>}
                <Button
                  size="sm"
                  icon={isTaken ? Check : Plus}
                  aria-disabled={isTaken}
                  aria-label={isTaken ? `Added: ${rule.name}` : `Add: ${rule.name}`}
                  variant={isTaken ? "ghost" : "secondary"}
                  onClick={() => !isTaken && take([item])}
                >
                  {isTaken ? "Added" : "Add"}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {note && <p className="text-xs break-words text-ink-3">{note}</p>}
    </>
  );
}
