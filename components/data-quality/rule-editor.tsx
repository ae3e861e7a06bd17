"use client";
import { memo, useCallback, useEffect, useId } from "react";
import { type Control, get, useController, useFormState, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { formatPercent, plural } from "@/components/ui/format.ts";
import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Copy,
  Ellipsis,
  Trash2,
} from "@/components/ui/icons.tsx";
import { useLatePart } from "@/components/ui/late-part.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { lateRules } from "./late-rules.ts";
import type { RuleContext } from "./rule-context.ts";
import { formatScore } from "./score.tsx";
import { TemplateRuleNote } from "./template-rule-note.tsx";
import { type ToldRules, toldOf } from "./told-rules.ts";
import type { Trial } from "./trial.ts";

/** Actions on the rule at an index. Always the same object, so that it never causes a re-render. */
export type RuleActions = {
  toggle: (index: number) => void;
  /** Measures the rule now, without saving anything. */
  tryOut: (index: number) => void;
  duplicate: (index: number) => void;
  remove: (index: number) => void;
  /** −1 is up, 1 is down. */
  move: (index: number, by: -1 | 1) => void;
  /** Registers the row's toggle button, which keeps focus when the rule moves. */
  keepToggle: (fieldId: string, toggle: HTMLButtonElement | null) => void;
};

/**
 * One rule: a line with its check and weight that expands into the form of its type. Memoized, since a contract can
 * have two hundred rules.
 */
export const RuleEditor = memo(function RuleEditor({
  control,
  fieldId,
  index,
  isLast,
  share,
  isOpen,
  context,
  contractId,
  template,
  sentences,
  trial,
  actions,
}: {
  control: Control<ContractForm>;
  /** Stays with the rule when it moves. */
  fieldId: string;
  index: number;
  isLast: boolean;
  /** Percent of the score. */
  share: number;
  isOpen: boolean;
  context: RuleContext;
  /** Omitted for a new contract. */
  contractId: number | undefined;
  /** Where it comes from, unless it is the contract's own: it can only be moved here. */
  template: ContractTemplateRule | undefined;
  /** Sentences to show before rules are known. */
  sentences: ToldRules;
  /** The result of trying the rule; null if not tried. */
  trial: Trial | null;
  actions: RuleActions;
}) {
  const id = useId();
  const rule = useWatch({ control, name: `rules.${index}` });
  const enabled = useController({ control, name: `rules.${index}.enabled` }).field;
  const { errors } = useFormState({ control, name: `rules.${index}` });
  const keepToggle = useCallback(
    (toggle: HTMLButtonElement | null) => actions.keepToggle(fieldId, toggle),
    [actions, fieldId],
  );
  const problems = countOf(get(errors, `rules.${index}`));
  const { part, hasFailed } = useLatePart(lateRules);
  const sentence = part ? part.ruleSentence(rule) : toldOf(sentences, rule);
  const isMissing = part === null && (isOpen || sentence === null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: expanding a rule tries again
  useEffect(() => {
    // If it fails, an expanded rule says so.
    if (isMissing) void lateRules.load().catch(() => {});
  }, [isMissing, isOpen]);
  const name = rule.name.trim() || part?.suggestedRuleName(rule) || `Rule ${index + 1}`;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="border-b first:border-t">
      <div className="flex min-h-11 items-center gap-2">
        <button
          ref={keepToggle}
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-form`}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={() => actions.toggle(index)}
          onKeyDown={(event) => {
            if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
            event.preventDefault();
            actions.move(index, event.key === "ArrowUp" ? -1 : 1);
          }}
          className={cn(
            "row-focus flex min-w-0 flex-1 items-center gap-2 py-1 text-left hover:bg-hover",
            !rule.enabled && "text-ink-3",
          )}
        >
          <Chevron aria-hidden className="size-4 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{name}</span>
            {!isOpen && (
              <span className="block truncate text-xs text-ink-3">
                {sentence ?? <Skeleton className="my-0.5 w-64 max-w-full" />}
              </span>
            )}
          </span>
          {problems > 0 && (
            <span className="inline-flex shrink-0 items-center gap-1 text-xs text-critical">
              <StatusIcon kind="critical" className="size-3.5" />
              {plural(problems, "problem")}
            </span>
          )}
          {trial?.state === "done" && (
            <span
              className="inline-flex shrink-0 items-center gap-1 text-xs text-ink-2 tabular-nums"
              title={trial.result.passed ? "Passed when it was tried" : "Failed when it was tried"}
            >
              <StatusIcon kind={trial.result.passed ? "ok" : "critical"} className="size-3.5" />
              {formatScore(trial.result.score)}
            </span>
          )}
          <span className="hidden w-28 shrink-0 text-right text-xs text-ink-2 tabular-nums sm:block">
            {rule.weight || "?"} × {rule.severity}
          </span>
          <span className="w-16 shrink-0 text-right tabular-nums" title="Share of the score">
            {rule.enabled ? formatPercent(share) : "off"}
          </span>
        </button>
        <Switch
          aria-label={`${name}: enabled`}
          checked={enabled.value}
          disabled={template !== undefined}
          onCheckedChange={enabled.onChange}
          className="mx-1 -mt-0.5"
        />
        <Menu>
          <MenuTrigger>
            <Button variant="ghost" size="icon-sm" icon={Ellipsis} aria-label={`More about ${name}`} />
          </MenuTrigger>
          <MenuContent>
            <MenuItem
              icon={ArrowUp}
              shortcut="Alt ↑"
              disabled={index === 0}
              onSelect={() => actions.move(index, -1)}
            >
              Move up
            </MenuItem>
            <MenuItem
              icon={ArrowDown}
              shortcut="Alt ↓"
              disabled={isLast}
              onSelect={() => actions.move(index, 1)}
            >
              Move down
            </MenuItem>
            <MenuItem icon={Copy} onSelect={() => actions.duplicate(index)}>
              Duplicate
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              danger
              disabled={template !== undefined}
              onSelect={() => actions.remove(index)}
            >
              Remove
            </MenuItem>
          </MenuContent>
        </Menu>
      </div>
      {isOpen && part && (
        <fieldset
          id={`${id}-form`}
          aria-label={name}
          aria-describedby={`${id}-sentence`}
          disabled={template !== undefined}
          className={openClass}
        >
          {template && <TemplateRuleNote of={template} />}
          <part.OpenRule
            {...{ index, context, contractId, share, trial }}
            sentenceId={`${id}-sentence`}
            isEnabled={rule.enabled}
            onTry={() => actions.tryOut(index)}
          />
        </fieldset>
      )}
      {isOpen && !part && (
        <div id={`${id}-form`} className={openClass}>
          {hasFailed ? (
            <ErrorState
              title="The form of this rule could not be loaded"
              message="Check the connection, then try again. Your changes are kept."
              onRetry={() => void lateRules.load().catch(() => {})}
            />
          ) : (
            <RuleSkeleton />
          )}
        </div>
      )}
    </li>
  );
});

const openClass = "flex min-w-0 flex-col gap-4 border-t bg-sunken px-3 py-4 sm:px-6";

/** As high as the form of most rules. */
function RuleSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-6">
        {["col-span-2", "col-span-2", "col-span-1"].map((width, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identified by position
          <div key={place} className={cn("flex flex-col gap-1", width)}>
            <Skeleton className="my-0.5 w-16" />
            <Skeleton className="h-8" />
            <Skeleton className="my-0.5 w-3/4" />
          </div>
        ))}
      </div>
      <Skeleton className="h-9 w-80 max-w-full" />
      <Skeleton className="h-5 w-64 max-w-full" />
      <Skeleton className="h-7 w-40" />
      <div className="border-t pt-4">
        <Skeleton className="h-7 w-16" />
      </div>
    </div>
  );
}

/** The number of messages at any depth. */
function countOf(errors: unknown): number {
  if (typeof errors !== "object" || errors === null) return 0;
  if ("message" in errors && typeof errors.message === "string") return 1;
  return Object.entries(errors).reduce((sum, [key, each]) => sum + (key === "ref" ? 0 : countOf(each)), 0);
}
