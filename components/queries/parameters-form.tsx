"use client";
import { useId } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { FieldError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import {
  type ParameterDraft,
  type ParameterDrafts,
  type ParameterKind,
  untouched,
} from "./parameter-values.ts";

const kinds: { value: ParameterKind; label: string }[] = [
  { value: "Text", label: "Text" },
  { value: "Number", label: "Number" },
  { value: "Boolean", label: "True or false" },
  { value: "Null", label: "NULL" },
];

/** A typed value for each `{{name}}`. Used for runs from the editor, and not stored with the query. */
export function ParametersForm({
  names,
  drafts,
  problems,
  onChange,
}: {
  names: readonly string[];
  drafts: ParameterDrafts;
  /** Errors by parameter name. */
  problems: Readonly<Record<string, string>>;
  onChange: (name: string, draft: ParameterDraft) => void;
}) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-2 text-xs font-medium text-ink-2">
        Parameters{" "}
        <span className="font-normal text-ink-3">
          for running it here; subscriptions set their own values
        </span>
      </legend>
      <div className="grid gap-x-6 gap-y-2 xl:grid-cols-2">
        {names.map((name) => {
          const draft = (Object.hasOwn(drafts, name) && drafts[name]) || untouched;
          const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
          return (
            <div key={name} className="flex min-w-0 flex-wrap items-center gap-2">
              <label
                htmlFor={`${id}-${name}`}
                className="w-full min-w-0 truncate font-mono text-[13px] sm:w-40"
                title={name}
              >
                {name}
              </label>
              <Select
                aria-label={`Type of ${name}`}
                className="w-32 shrink-0"
                value={draft.kind}
                onValueChange={(kind) => onChange(name, { ...draft, kind })}
                options={kinds}
              />
              <ParameterInput
                id={`${id}-${name}`}
                name={name}
                draft={draft}
                isWrong={problem !== undefined}
                onChange={(text) => onChange(name, { ...draft, text })}
              />
              {problem && (
                <div className="w-full sm:pl-42">
                  <FieldError id={`${id}-${name}-error`}>The value {problem}</FieldError>
                </div>
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

function ParameterInput({
  id,
  name,
  draft: { kind, text },
  isWrong,
  onChange,
}: {
  id: string;
  name: string;
  draft: ParameterDraft;
  isWrong: boolean;
  onChange: (text: string) => void;
}) {
  const width = "w-auto min-w-0 flex-1";
  if (kind === "Boolean")
    return (
      <Select
        aria-label={name}
        className={width}
        value={text === "true" ? "true" : "false"}
        onValueChange={onChange}
        options={[
          { value: "true", label: "true" },
          { value: "false", label: "false" },
        ]}
      />
    );
  if (kind === "Null") return <span className={cn(width, "px-2 text-ink-3 italic")}>NULL</span>;
  return (
    <Input
      id={id}
      mono
      className={cn(width, kind === "Number" && "text-right tabular-nums")}
      inputMode={kind === "Number" ? "decimal" : "text"}
      placeholder={kind === "Text" ? "empty text" : undefined}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? `${id}-error` : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
