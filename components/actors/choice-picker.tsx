"use client";
import { useRef } from "react";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { X } from "@/components/ui/icons.tsx";
import type { ComboboxGroup } from "@/components/ui/matching.ts";

type Chosen = { key: string; label: string };

/** Multiple selection: options are found by typing, then listed below, each with a remove button. */
export function ChoicePicker({
  label,
  hint,
  placeholder,
  searchPlaceholder,
  groups,
  chosen,
  onChange,
  loading = false,
  disabled = false,
  error,
}: {
  label: string;
  hint?: string | undefined;
  /** What an empty selection means. */
  placeholder: string;
  searchPlaceholder: string;
  groups: readonly ComboboxGroup[];
  chosen: readonly Chosen[];
  /** Called with the selected keys. */
  onChange: (keys: string[]) => void;
  loading?: boolean;
  disabled?: boolean;
  error?: FieldProblem;
}) {
  const field = useRef<HTMLDivElement>(null);
  const keys = chosen.map(({ key }) => key);
  const left = groups.map((group) => ({
    ...group,
    items: group.items.filter(({ value }) => !keys.includes(value)),
  }));
  return (
    <div ref={field} className="flex min-w-0 flex-col gap-1.5">
      <Field label={label} optional hint={hint} error={error}>
        <Combobox
          value=""
          groups={left.filter(({ items }) => items.length > 0)}
          placeholder={chosen.length > 0 ? "Add another…" : placeholder}
          searchPlaceholder={searchPlaceholder}
          loading={loading}
          disabled={disabled}
          onValueChange={(key) => onChange([...keys, key])}
        />
      </Field>
      {chosen.length > 0 && (
        <ul aria-label={`${label}: chosen`} className="flex max-h-32 flex-wrap gap-1 overflow-y-auto">
          {chosen.map(({ key, label: title }) => (
            <li
              key={key}
              className="flex max-w-full items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2 text-xs"
            >
              <span className="min-w-0 truncate" title={title}>
                {title}
              </span>
              <button
                type="button"
                aria-label={`Remove ${title}`}
                className="flex size-6 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-surface hover:text-ink"
                onClick={() => {
                  onChange(keys.filter((each) => each !== key));
                  // The button is gone, so move focus to the field.
                  field.current?.querySelector<HTMLElement>("[role=combobox], button")?.focus();
                }}
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
