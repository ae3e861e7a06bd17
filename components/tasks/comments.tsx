"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { CommentThread } from "@/components/comments/comment-thread.tsx";
import { trpc } from "@/components/trpc/client.tsx";

/** Comments on a task, oldest first, with a field to add one. */
export function Comments({ taskId }: { taskId: number }) {
  const utils = trpc.useUtils();
  const [{ items }] = trpc.tasks.comments.useSuspenseQuery({ id: taskId }, { refetchInterval: 30_000 });
  const mayComment = useMay("tasks:work");
  const comment = trpc.tasks.comment.useMutation();
  return (
    <CommentThread
      items={items}
      mayComment={mayComment}
      placeholder="What you have found out, or done"
      send={async (text) => {
        const written = await comment.mutateAsync({ id: taskId, text });
        utils.tasks.comments.setData({ id: taskId }, (old) => old && { items: [...old.items, written] });
        await utils.tasks.comments.invalidate({ id: taskId });
      }}
    />
  );
}
