import { asc, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { listPeopleWith } from "../../auth/service/people.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { mentionedIn } from "../mentions.ts";
import { approvalComments } from "../tables.ts";
import { getApproval } from "./approvals.ts";

/** A request's comments, oldest first. Throws like `getApproval`. */
export async function listComments(ctx: SignedIn, approvalId: number) {
  await getApproval(ctx, approvalId);
  const rows = await db
    .select()
    .from(approvalComments)
    .where(eq(approvalComments.approvalId, approvalId))
    .orderBy(asc(approvalComments.id));
  const people = await namesOfUsers(rows.map(({ userId }) => userId));
  return {
    items: rows.map(({ id, userId, text, createdAt }) => ({
      ...{ id, text, createdAt },
      user: people.get(userId) ?? { id: userId, name: "" },
    })),
  };
}

/** Adds a comment, also to a decided request. Everyone else whom it mentions gets an email at their own address. */
export async function commentOnApproval(ctx: SignedIn, { id, text }: { id: number; text: string }) {
  const approval = await getApproval(ctx, id);
  const { userId, name } = ctx.principal;
  const mentioned = mentionedIn(text, (await listPeople(ctx)).items).filter((person) => person.id !== userId);
  const comment = await db.transaction(async (tx) => {
    const [stored] = await tx.insert(approvalComments).values({ approvalId: id, userId, text }).returning();
    if (!stored) throw new Error("The insert returned no comment");
    await enqueueNotification(tx, {
      projectId: approval.projectId,
      cause: { kind: "Approval", id },
      dedupeKey: `comment/${stored.id}`,
      content: {
        title: `${name} mentioned you: ${approval.queryName}`,
        tone: "Info",
        summary: text,
        facts: [
          { label: "Query", value: approval.queryName },
          { label: "Request", value: approval.changeSummary ?? approval.kind },
        ],
        link: { label: "Open the request", path: `/approvals/${id}` },
      },
      userIds: mentioned.map((person) => person.id),
      topic: "Mentions",
    });
    return stored;
  });
  const people = await namesOfUsers([userId]);
  return {
    id: comment.id,
    user: people.get(userId) ?? { id: userId, name },
    text: comment.text,
    createdAt: comment.createdAt,
  };
}

/** Users who can be mentioned: everyone who can read requests in a project that the caller sees. */
export const listPeople = (ctx: SignedIn) => listPeopleWith(ctx, "everything:read");
