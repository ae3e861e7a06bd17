"use client";
import { useRef, useState } from "react";
import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { FieldError } from "@/components/ui/field.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { AddRuleMenu } from "./add-rule-menu.tsx";
import { type ContractForm, copyOfRule, emptyRule } from "./contract-form.ts";
import { EditorSection } from "./editor-section.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import type { RuleContext } from "./rule-fields.tsx";
import { sharesOf } from "./rule-shares.ts";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

/** The contract's rules, in their order. */
export function EditorRules({ context, unfolded }: { context: RuleContext; unfolded: UnfoldedRules }) {
  const { control, getValues, formState } = useFormContext<ContractForm>();
  const list = useFieldArray({ control, name: "rules" });
  const rules = useWatch({ control, name: "rules" });
  const toggles = useRef(new Map<string, HTMLButtonElement>());
  const [told, setTold] = useState("");
  const shares = sharesOf(rules.map((rule) => ({ ...rule, weight: Number(rule.weight) })));
  const problem = formState.errors.rules;
  const message = problem?.message ?? problem?.root?.message;

  const move = (from: number, by: -1 | 1) => {
    const to = from + by;
    if (to < 0 || to >= list.fields.length) return;
    const id = list.fields[from]?.id;
    list.move(from, to);
    unfolded.swap(from, to);
    setTold(`Moved to place ${to + 1} of ${list.fields.length}`);
    // React moves the row in the document, which may drop its focus.
    requestAnimationFrame(() => id && toggles.current.get(id)?.focus());
  };
  const remove = (index: number) => {
    const removed = getValues(`rules.${index}`);
    list.remove(index);
    unfolded.remove(index);
    toast("Rule removed", {
      action: {
        label: "Undo",
        onClick: () => {
          list.insert(Math.min(index, getValues("rules").length), removed, { shouldFocus: false });
          unfolded.insert(index, false);
        },
      },
    });
  };

  return (
    <EditorSection
      title={`Rules (${list.fields.length})`}
      explanation={
        <>
          What must be true of the table. A rule counts by its weight times its severity; disabled ones do not
          count.
        </>
      }
    >
      {list.fields.length > 0 && (
        <>
          {list.fields.length > 1 && (
            <div className="-mb-2 flex justify-end gap-1">
              <Button size="sm" variant="ghost" onClick={() => unfolded.setAll(list.fields.length)}>
                Unfold all
              </Button>
              <Button size="sm" variant="ghost" onClick={() => unfolded.setAll(0)}>
                Fold all
              </Button>
            </div>
          )}
          <ol>
            {list.fields.map(({ id }, index) => (
              <RuleEditor
                key={id}
                toggleRef={(toggle) => {
                  if (toggle) toggles.current.set(id, toggle);
                  else toggles.current.delete(id);
                }}
                index={index}
                count={list.fields.length}
                share={shares[index] ?? 0}
                isOpen={unfolded.has(index)}
                context={context}
                actions={{
                  onToggle: () => unfolded.toggle(index),
                  onDuplicate: () => {
                    list.insert(index + 1, copyOfRule(getValues(`rules.${index}`)), { shouldFocus: false });
                    unfolded.insert(index + 1, true);
                  },
                  onRemove: () => remove(index),
                  onMove: (by) => move(index, by),
                }}
              />
            ))}
          </ol>
        </>
      )}
      {list.fields.length === 0 && (
        <p className="text-ink-2">
          None yet. A contract has at least one; begin with what would hurt most if it were not so.
        </p>
      )}
      {message && <FieldError>{message}</FieldError>}
      <AddRuleMenu
        isPrimary={list.fields.length === 0}
        onAdd={(type) => {
          list.append(emptyRule(type), { shouldFocus: false });
          unfolded.insert(list.fields.length, true);
          // The new rule's first field, once it is drawn.
          setTimeout(() => {
            const added = [...toggles.current.values()].at(-1)?.closest("li");
            added?.querySelector<HTMLElement>("fieldset :is(button, input, [contenteditable])")?.focus();
          }, 50);
        }}
      />
      <div role="status" className="sr-only">
        {told}
      </div>
    </EditorSection>
  );
}
