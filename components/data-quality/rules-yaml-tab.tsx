"use client";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { isSame } from "@/components/edits/three-way.ts";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { rulesIn, yamlOf } from "./rules-yaml.ts";

/** How many problems are listed. */
const maxListed = 10;

/**
 * The rules as text. What is valid is in the form at once; what is not is kept as an unsaved change, and keeps people
 * here.
 */
export function RulesYamlTab({ onChange }: { onChange: (rules: RuleForm[]) => void }) {
  const { control, getValues, setValue, clearErrors } = useFormContext<ContractForm>();
  const [rules, rulesText, tableName] = useWatch({ control, name: ["rules", "rulesText", "tableName"] });
  const [text, setText] = useState(() => rulesText ?? yamlOf(rules));
  const area = useRef<HTMLTextAreaElement>(null);
  const told = useId();
  const problems = useMemo(
    () => (rulesText === null ? [] : rulesIn(rulesText, tableName).problems),
    [rulesText, tableName],
  );
  /** The rules that the text stands for. */
  const written = useRef<readonly RuleForm[]>(rules);
  // Someone else's changes were merged into the form, or a draft was restored.
  useEffect(() => {
    if (isSame(rules, written.current)) return;
    written.current = rules;
    setText(getValues("rulesText") ?? yamlOf(rules));
  }, [rules, getValues]);

  const type = (typed: string) => {
    setText(typed);
    const read = rulesIn(typed, tableName);
    setValue("rulesText", read.rules === null ? typed : null, { shouldDirty: true });
    if (read.rules === null) return;
    clearErrors("rules");
    written.current = read.rules;
    if (!isSame(read.rules, getValues("rules"))) onChange(read.rules);
  };
  const goTo = (line: number) => {
    const start =
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (text.split("\n")[line - 1]?.length ?? 0));
  };

  return (
    <div className="flex flex-col gap-2">
      <Textarea
        ref={area}
        aria-label="Rules as YAML"
        aria-invalid={problems.length > 0}
        aria-describedby={told}
        spellCheck={false}
        rows={Math.min(40, Math.max(14, text.split("\n").length + 1))}
        mono
        className="max-h-none"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      <div id={told} role="status" className="flex flex-col gap-1 text-sm">
        {problems.slice(0, maxListed).map(({ line, message }, place) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: problems are identified only by position
            key={place}
            type="button"
            className="w-fit rounded-sm text-left text-critical hover:underline"
            onClick={() => goTo(line)}
          >
            Line {line}: {message}
          </button>
        ))}
        {problems.length > maxListed && <p>and {problems.length - maxListed} more</p>}
        <p className="text-xs text-ink-3">
          As in the REST API. Keep each rule's <code>key</code>: it keeps the rule's history. Comments are not
          saved.
        </p>
      </div>
    </div>
  );
}
