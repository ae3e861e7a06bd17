"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";

const maxCharacters = 4000;

type Comment = { id: number; user: { name: string }; text: string; createdAt: string };

/** Comments on a thing, oldest first, with a field to add one. */
export function CommentThread({
  items,
  mayComment,
  send,
  placeholder,
  hint,
}: {
  items: readonly Comment[];
  mayComment: boolean;
  /** Stores a comment; rejects with the reason if it is refused. */
  send: (text: string) => Promise<unknown>;
  placeholder: string;
  /** Below the field, after how to send it. */
  hint?: ReactNode;
}) {
  return (
    <section aria-labelledby="comments" className="flex min-w-0 flex-col gap-2">
      <h2 id="comments" className="text-sm font-semibold">
        Comments{" "}
        {items.length > 0 && <span className="font-normal text-ink-3 tabular-nums">{items.length}</span>}
      </h2>
      {items.length > 0 && (
        <ol className="flex flex-col divide-y border-y">
          {items.map(({ id, user, text, createdAt }) => (
            <li key={id} className="flex flex-col gap-0.5 py-2">
              <p className="flex items-baseline gap-2 text-xs">
                <span className="font-medium text-ink">{user.name}</span>
                <Moment at={createdAt} className="whitespace-nowrap text-ink-3" />
              </p>
              <p className="max-w-prose break-words whitespace-pre-line">{text}</p>
            </li>
          ))}
        </ol>
      )}
      {mayComment ? (
        <CommentForm send={send} placeholder={placeholder} hint={hint} />
      ) : (
        items.length === 0 && <p className="text-ink-3">No comments yet.</p>
      )}
    </section>
  );
}

function CommentForm({
  send,
  placeholder,
  hint,
}: {
  send: (text: string) => Promise<unknown>;
  placeholder: string;
  hint: ReactNode;
}) {
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isTooLong = text.length > maxCharacters;
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || isTooLong || isSending) return;
    setSending(true);
    setFailure(null);
    try {
      await send(text);
      setText("");
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex max-w-prose flex-col gap-2">
      <Field
        label="Comment"
        error={isTooLong ? `must have at most ${maxCharacters} characters` : null}
        hint={
          <>
            <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> sends it. {hint}
          </>
        }
      >
        <Textarea
          rows={2}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void submit();
            }
          }}
          placeholder={placeholder}
        />
      </Field>
      {failure && <FormError>{failure}</FormError>}
      <Button type="submit" className="self-start" pending={isSending} disabled={text.trim() === ""}>
        Comment
      </Button>
    </form>
  );
}
