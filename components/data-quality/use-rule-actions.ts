"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { type UseFieldArrayReturn, useFormContext } from "react-hook-form";
import { toast } from "@/components/ui/toaster.tsx";
import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import { type ContractForm, copyOfRule, emptyRule, type RuleForm } from "./contract-form.ts";
import type { RuleActions } from "./rule-editor.tsx";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

/** What the editor does with rules; the focus goes along. `told` is for those who do not see it happen. */
export function useRuleActions(
  list: UseFieldArrayReturn<ContractForm, "rules">,
  unfolded: UnfoldedRules,
  tryRule: (index: number) => void,
) {
  const { getValues } = useFormContext<ContractForm>();
  const toggles = useRef(new Map<string, HTMLButtonElement>());
  const [told, setTold] = useState("");

  const now: Omit<RuleActions, "keepToggle"> = {
    toggle: unfolded.toggle,
    tryOut: tryRule,
    duplicate: (index) => {
      list.insert(index + 1, copyOfRule(getValues(`rules.${index}`)), { shouldFocus: false });
      unfolded.insert(index + 1, true);
      setTold("Duplicated");
    },
    remove: (index) => {
      const removed = getValues(`rules.${index}`);
      list.remove(index);
      unfolded.remove(index);
      toast("Rule removed", {
        // Below, it would lie over the button that saves.
        position: "top-center",
        action: {
          label: "Undo",
          onClick: () => {
            const place = Math.min(index, getValues("rules").length);
            latest.current.insert(place, removed, { shouldFocus: false });
            unfolded.insert(place, false);
          },
        },
      });
    },
    move: (from, by) => {
      const to = from + by;
      const id = list.fields[from]?.id;
      if (id === undefined || to < 0 || to >= list.fields.length) return;
      list.move(from, to);
      unfolded.swap(from, to);
      setTold(`Moved to place ${to + 1} of ${list.fields.length}`);
      // React moves the row in the document, which may drop its focus.
      requestAnimationFrame(() => toggles.current.get(id)?.focus());
    },
  };

  const latest = useRef(list);
  const current = useRef(now);
  useEffect(() => {
    latest.current = list;
    current.current = now;
  });
  const actions: RuleActions = useMemo(
    () => ({
      toggle: (index) => current.current.toggle(index),
      tryOut: (index) => current.current.tryOut(index),
      duplicate: (index) => current.current.duplicate(index),
      remove: (index) => current.current.remove(index),
      move: (index, by) => current.current.move(index, by),
      keepToggle: (fieldId, toggle) => {
        if (toggle) toggles.current.set(fieldId, toggle);
        else toggles.current.delete(fieldId);
      },
    }),
    [],
  );

  const add = (type: RuleType) => {
    list.append(emptyRule(type), { shouldFocus: false });
    unfolded.insert(list.fields.length, true);
    // The new rule's first field, once it is drawn.
    setTimeout(() => {
      const added = [...toggles.current.values()].at(-1)?.closest("li");
      added?.querySelector<HTMLElement>("fieldset :is(button, input, [contenteditable])")?.focus();
    }, 50);
  };
  /** Rules that come complete stay folded. */
  const take = (rules: RuleForm[]) => {
    list.append(rules, { shouldFocus: false });
    setTold(rules.length === 1 ? "Added" : `Added ${rules.length} rules`);
  };
  return { actions, add, take, told };
}
