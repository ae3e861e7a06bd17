"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { type UseFieldArrayReturn, useFormContext } from "react-hook-form";
import { toast } from "@/components/ui/toaster.tsx";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { copyOfRule } from "./new-values.ts";
import type { RuleActions } from "./rule-editor.tsx";
import type { UnfoldedRules } from "./use-unfolded-rules.ts";

/** Rule actions in the editor, with focus management and screen-reader announcements. */
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
        // At the bottom it would cover the save button.
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
      // Moving the row's DOM node may drop its focus.
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

  const add = (rule: RuleForm) => {
    list.append(rule, { shouldFocus: false });
    unfolded.insert(list.fields.length, true);
    // Focus the new rule's first field once it has rendered.
    setTimeout(() => {
      const added = [...toggles.current.values()].at(-1)?.closest("li");
      added?.querySelector<HTMLElement>("fieldset :is(button, input, [contenteditable])")?.focus();
    }, 50);
  };
  /** Complete rules stay collapsed. */
  const take = (rules: RuleForm[]) => {
    list.append(rules, { shouldFocus: false });
    setTold(rules.length === 1 ? "Added" : `Added ${rules.length} rules`);
  };
  return { actions, add, take, told };
}
