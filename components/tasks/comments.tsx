"use client";
import { type FormEvent, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";

const maxCharacters = 4000;

/** Comments on a task, oldest first, with a field to add one. */
export function Comments({ taskId }: { taskId: number }) {
  const [{ items }] = trpc.tasks.comments.useSuspenseQuery({ id: taskId }, { refetchInterval: 30_000 });
  const mayComment = useMay("tasks:work");
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
        <CommentForm taskId={taskId} />
      ) : (
        items.length === 0 && <p className="text-ink-3">No comments yet.</p>
      )}
    </section>
  );
}

function CommentForm({ taskId }: { taskId: number }) {
  const utils = trpc.useUtils();
  const [text, setText] = useState("");
  const comment = trpc.tasks.comment.useMutation({
    onSuccess: async (written) => {
      setText("");
      utils.tasks.comments.setData({ id: taskId }, (old) => old && { items: [...old.items, written] });
      await utils.tasks.comments.invalidate({ id: taskId });
    },
  });
  const isTooLong = text.length > maxCharacters;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || isTooLong || comment.isPending) return;
    comment.mutate({ id: taskId, text });
  };
  return (
    <form onSubmit={send} noValidate className="flex max-w-prose flex-col gap-2">
      <Field
        label="Comment"
        error={isTooLong ? `must have at most ${maxCharacters} characters` : null}
        hint={
          <>
            <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> sends it.
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
              send();
            }
          }}
          placeholder="What you have found out, or done"
        />
      </Field>
      {comment.error && <FormError>{messageOf(comment.error)}</FormError>}
      <Button type="submit" className="self-start" pending={comment.isPending} disabled={text.trim() === ""}>
        Comment
      </Button>
    </form>
  );
}
