"use client";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Decision } from "./use-decide.ts";

const mostCharacters = 4000;

/** One field for the comment: Ctrl-Enter sends, Esc goes back, and keeps what is written. */
export function DecisionForm({
  decision,
  comment,
  blocked,
  failure,
  pending,
  onComment,
  onSend,
  onCancel,
}: {
  decision: Decision;
  comment: string;
  /** Why it can no longer be sent. */
  blocked: ReactNode;
  failure: string | null;
  pending: boolean;
  onComment: (comment: string) => void;
  onSend: () => void;
  onCancel: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  const isReject = decision === "reject";
  const send = () => {
    if (!pending && !blocked) onSend();
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
      aria-label={isReject ? "Reject the change" : "Approve the change"}
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
          label={isReject ? "Why it is rejected" : "Comment on the approval"}
          optional
          className="w-full sm:w-auto sm:flex-1"
        >
          <Textarea
            rows={1}
            className="max-h-40 min-h-8 py-1"
            maxLength={mostCharacters}
            value={comment}
            onChange={(event) => onComment(event.target.value)}
          />
        </Field>
        <Button aria-keyshortcuts="Escape" onClick={onCancel}>
          Cancel
          <Kbd>Esc</Kbd>
        </Button>
        <Button
          type="submit"
          variant={isReject ? "danger" : "primary"}
          pending={pending}
          disabled={blocked !== null}
          aria-keyshortcuts="Control+Enter"
        >
          {isReject ? "Reject" : "Approve"}
          <Kbd>Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  );
}
