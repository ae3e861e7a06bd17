"use client";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Choice } from "./choice.ts";

/** One field for the reason: Ctrl-Enter sends, Esc goes back, and keeps what is written. */
export function DecisionForm({
  choice: { button, form: words },
  text,
  blocked,
  failure,
  pending,
  onText,
  onSend,
  onCancel,
}: {
  choice: Choice<string>;
  text: string;
  /** Why it can no longer be sent. */
  blocked: ReactNode;
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
  const send = () => {
    if (pending || blocked) return;
    if (missing && text.trim() === "") {
      setIsMissing(true);
      focus();
    } else onSend();
  };
  const keys = (event: KeyboardEvent) => {
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
      <div className="flex flex-wrap items-end justify-end gap-2">
        <Field
          label={label}
          optional={!missing}
          error={isMissing && text.trim() === "" ? missing : undefined}
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
