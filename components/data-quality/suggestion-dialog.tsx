"use client";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { plural } from "@/components/ui/format.ts";
import { Check, Plus } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { Status } from "@/components/ui/status.tsx";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import type { Suggestions } from "@/server/findings/suggestion-schema.ts";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import {
  failingWords,
  formOfSuggestion,
  isAlreadyChecked,
  keyOfSuggestion,
  type LeftOut,
  leavingOut,
  leftOutOf,
  type Suggestion,
  withoutValues,
} from "./suggested-rules.ts";
import { SuggestedValues } from "./suggested-values.tsx";

/** The rules proposed for a table, each with its evidence, once it has been read. */
export function SuggestionDialog({
  tableName,
  suggestions,
  error,
  onAsk,
  onTake,
  onClose,
}: {
  tableName: string;
  /** Undefined while the table is read. */
  suggestions: Suggestions | undefined;
  /** Why it could not be. */
  error: unknown;
  onAsk: () => void;
  onTake: (rules: RuleForm[]) => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`Suggested rules for ${tableName}`}
      description="What looks wrong in the table today, then what is true of it today and may be meant to stay true."
    >
      {error ? (
        <ErrorState
          title="The table could not be read"
          message={asSentence(messageOf(error))}
          requestId={factsOf(error).requestId}
          onRetry={onAsk}
        />
      ) : suggestions ? (
        <SuggestionList suggestions={suggestions} onTake={onTake} />
      ) : (
        <>
          <p role="status" className="text-sm text-ink-2">
            Reading the table and testing candidate rules. This can take up to 30 seconds.
          </p>
          <SkeletonRows rows={4} columns={2} />
        </>
      )}
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
      </DialogFooter>
    </Dialog>
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
  const [leftOut, setLeftOut] = useState<LeftOut>({});
  const chosen = (item: Suggestion) => withoutValues(item, leftOut);
  const open = items.filter((item) => !isAlreadyChecked(chosen(item), rules));
  const take = (some: Suggestion[]) => onTake(some.map((item) => formOfSuggestion(chosen(item))));
  const leaving = {
    leftOut,
    onLeaveOut: (item: Suggestion, value: string, isLeftOut: boolean) =>
      setLeftOut((before) => leavingOut(before, item, value, isLeftOut)),
  };
  const failing = items.filter(({ passes }) => !passes);
  const passing = items.filter(({ passes }) => passes);
  return (
    <>
      <p role="status" className="text-sm text-ink-2">
        {items.length === 0
          ? "No useful rules to suggest; an empty table gives nothing to go by. Add rules manually."
          : `${plural(items.length, "rule")}, ${items.length - open.length} of them in the contract.`}
      </p>
      <SuggestionGroup title="Fails today" items={failing} open={open} onTake={take} {...leaving} />
      <SuggestionGroup title="Passes today" items={passing} open={open} onTake={take} {...leaving} />
      {note && <p className="text-xs break-words text-ink-3">{note}</p>}
    </>
  );
}

function SuggestionGroup({
  title,
  items,
  open,
  onTake,
  leftOut,
  onLeaveOut,
}: {
  title: string;
  items: Suggestion[];
  open: Suggestion[];
  onTake: (some: Suggestion[]) => void;
  leftOut: LeftOut;
  onLeaveOut: (item: Suggestion, value: string, isLeftOut: boolean) => void;
}) {
  const left = items.filter((item) => open.includes(item));
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <div className="flex flex-wrap items-center gap-2 pb-2">
        <h3 className="min-w-0 flex-1 text-sm font-medium">
          {title} <span className="font-normal text-ink-3">{items.length}</span>
        </h3>
        {left.length > 1 && (
          <Button icon={Plus} size="sm" variant="primary" onClick={() => onTake(left)}>
            Add all {left.length}
          </Button>
        )}
      </div>
      <ul aria-label={title} className="border-t">
        {items.map((item) => (
          <SuggestionRow
            key={keyOfSuggestion(item)}
            item={item}
            leftOut={leftOutOf(item, leftOut)}
            chosen={withoutValues(item, leftOut)}
            onLeaveOut={(value, isLeftOut) => onLeaveOut(item, value, isLeftOut)}
            isTaken={!open.includes(item)}
            onTake={() => onTake([item])}
          />
        ))}
      </ul>
    </section>
  );
}

function SuggestionRow({
  item,
  chosen,
  leftOut,
  isTaken,
  onTake,
  onLeaveOut,
}: {
  item: Suggestion;
  /** Without what is left out of it. */
  chosen: Suggestion;
  leftOut: readonly string[];
  isTaken: boolean;
  onTake: () => void;
  onLeaveOut: (value: string, isLeftOut: boolean) => void;
}) {
  const { rule } = chosen;
  const fails = failingWords(chosen);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-2 text-sm">
      <span className="min-w-0 flex-1 basis-56">
        <span className="block font-medium break-words">{rule.name}</span>
        <span className={`block pt-0.5 text-xs break-words ${item.passes ? "text-ink-2" : "text-ink"}`}>
          {item.evidence}
        </span>
        <span className="line-clamp-2 pt-0.5 text-xs break-words text-ink-3">{ruleSentence(rule)}</span>
      </span>
      {fails && <Status kind="warning">{fails}</Status>}
      <Button
        size="sm"
        icon={isTaken ? Check : Plus}
        aria-disabled={isTaken}
        aria-label={isTaken ? `Added: ${rule.name}` : `Add: ${rule.name}`}
        variant={isTaken ? "ghost" : "secondary"}
        onClick={() => !isTaken && onTake()}
      >
        {isTaken ? "Added" : "Add"}
      </Button>
      {item.values && (
        <SuggestedValues
          values={item.values}
          leftOut={leftOut}
          disabled={isTaken}
          label={`Values of ${rule.column}`}
          onLeaveOut={onLeaveOut}
        />
      )}
    </li>
  );
}
