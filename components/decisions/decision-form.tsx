"use client";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Choice } from "./choice.ts";

/** A field for the reason: Ctrl-Enter submits; Esc goes back and keeps the text. */
export function DecisionForm({
  choice: { button, form: words },
  text,
  blocked,
  fields,
  isComplete,
  failure,
  pending,
  onText,
  onSend,
  onCancel,
}: {
  choice: Choice<string>;
  text: string;
  /** Why it can no longer be submitted. */
  blocked: ReactNode;
  fields: ReactNode;
  /** The other fields are filled in enough to make the text optional. */
  isComplete: boolean;
  failure: string | null;
  pending: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  const focus = () => form.current?.querySelector("textarea")?.focus();
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const { name, label, most, rows = 1, variant, missing } = words;
  const isLacking = Boolean(missing) && !isComplete && text.trim() === "";
  const send = () => {
    if (pending || blocked) return;
    if (isLacking) {
      setIsMissing(true);
      focus();
    } else onSend();
  };
  const keys = (event: KeyboardEvent) => {
    // React also bubbles key events from lists opened by the form, which handle them themselves.
    if (!form.current?.contains(event.target as Node)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
    if (event.key === "Escape" && !pending) {
      event.preventDefault();
      onCancel();
    }
  };
  return (
    <form
      ref={form}
      aria-label={name}
      noValidate
      onKeyDown={keys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="flex flex-col gap-2"
    >
      {failure && <FormError>{failure}</FormError>}
      {blocked && <p className="text-ink-2">{blocked}</p>}
      {fields && <div className="max-h-[45vh] overflow-y-auto pb-2">{fields}</div>}
      <div className="flex flex-wrap items-end justify-end gap-2">
        <Field
          label={label}
          optional={!missing || isComplete}
          error={isMissing && isLacking ? missing : undefined}
          className="w-full sm:w-auto sm:flex-1"
        >
          <Textarea
            rows={rows}
            className="max-h-40 min-h-8 py-1"
            maxLength={most}
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        </Field>
        <Button aria-keyshortcuts="Escape" onClick={onCancel}>
          Cancel
          <Kbd>Esc</Kbd>
        </Button>
        <Button
          type="submit"
          variant={variant}
          pending={pending}
          disabled={Boolean(blocked)}
          aria-keyshortcuts="Control+Enter"
        >
          {button.label}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  );
}
