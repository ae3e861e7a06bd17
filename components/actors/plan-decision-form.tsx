"use client";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { PlanDecision } from "./use-decide-plan.ts";

const words: Record<
  PlanDecision,
  {
    form: string;
    label: string;
    submit: string;
    variant: "primary" | "danger";
    most: number;
    missing: string;
  }
> = {
  approve: {
    ...{ form: "Approve the plan", label: "Comment on the approval", submit: "Approve", missing: "" },
    ...{ variant: "primary", most: 4000 },
  },
  revise: {
    ...{ form: "Send the plan back", label: "What is to be different", submit: "Request revision" },
    ...{ variant: "primary", most: 20_000, missing: "is required: the next version is made from it" },
  },
  reject: {
    ...{ form: "Reject the plan", label: "Why it is rejected", submit: "Reject" },
    ...{ variant: "danger", most: 4000, missing: "is required: whoever asks later finds it here" },
  },
};

/** One field for the reason: Ctrl-Enter sends, Esc goes back, and keeps what is written. */
export function PlanDecisionForm({
  decision,
  text,
  failure,
  pending,
  onText,
  onSend,
  onCancel,
}: {
  decision: PlanDecision;
  text: string;
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
  const { label, submit, variant, most, missing } = words[decision];
  const isRequired = decision !== "approve";
  const send = () => {
    if (pending) return;
    if (isRequired && text.trim() === "") {
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
      aria-label={words[decision].form}
      noValidate
      onKeyDown={keys}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="flex flex-col gap-2"
    >
      {failure && <FormError>{failure}</FormError>}
      <div className="flex flex-wrap items-end justify-end gap-2">
        <Field
          label={label}
          optional={!isRequired}
          error={isMissing && text.trim() === "" ? missing : undefined}
          className="w-full sm:w-auto sm:flex-1"
        >
          <Textarea
            rows={decision === "revise" ? 2 : 1}
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
        <Button type="submit" variant={variant} pending={pending} aria-keyshortcuts="Control+Enter">
          {submit}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  );
}
