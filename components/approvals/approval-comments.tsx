"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { CommentThread } from "@/components/comments/comment-thread.tsx";
import { trpc } from "@/components/trpc/client.tsx";

/** Comments on a request; whoever is mentioned gets an email. */
export function ApprovalComments({ approvalId }: { approvalId: number }) {
  const utils = trpc.useUtils();
  const { user } = useMe();
  const mayComment = useMay("queries:configure");
  const comments = trpc.approvals.comments.useQuery({ id: approvalId }, { refetchInterval: 30_000 });
  const people = trpc.approvals.people.useQuery(undefined, { enabled: mayComment });
  const comment = trpc.approvals.comment.useMutation();
  const [someone] = people.data?.items.filter(({ id }) => id !== user.id) ?? [];
  if (!comments.data) return null;
  return (
    <CommentThread
      items={comments.data.items}
      mayComment={mayComment}
      placeholder="A question, or what you have checked"
      hint={someone && `Mention someone, as in @${someone.name}, and they get an email.`}
      send={async (text) => {
        await comment.mutateAsync({ id: approvalId, text });
        await utils.approvals.comments.invalidate({ id: approvalId });
      }}
    />
  );
}
