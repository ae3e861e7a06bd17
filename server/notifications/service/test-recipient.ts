import { randomUUID } from "node:crypto";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { storableContent } from "../content.ts";
import { limits } from "../limits.ts";
import type { Recipient } from "../schema.ts";
import { deliveries, notifications } from "../tables.ts";
import { attempt } from "./attempt.ts";
import { getRecipient } from "./recipients.ts";
import { type Claimed, leaseEnd, record } from "./turns.ts";

/**
 * Sends a test message and waits for the outcome. It is delivered and logged like any notification, but attempted
 * only once, and also to disabled recipients.
 */
export async function testRecipient(
  ctx: SignedIn,
  id: number,
): Promise<{ ok: true } | { ok: false; message: string }> {
  const recipient = await getRecipient(ctx, id);
  const claimed = await enterTest(recipient, ctx.principal.name);
  const outcome = await attempt(claimed, limits.testMs);
  await record(claimed, outcome);
  return outcome.isSent ? { ok: true } : { ok: false, message: outcome.reason };
}

/** Created with a lease, so that no worker picks it up meanwhile. */
async function enterTest({ id, projectId, name, type }: Recipient, by: string): Promise<Claimed> {
  const content = storableContent({
    title: `Test message for ${name}`,
    tone: "Info",
    summary: "This is a test: notifications for this recipient arrive here. Nothing happened to your data.",
    facts: [
      { label: "Recipient", value: name },
      { label: "Sent by", value: by },
    ],
    link: { label: "Recipients", path: "/recipients" },
  });
  const token = randomUUID();
  return db.transaction(async (tx) => {
    const [notification] = await tx
      .insert(notifications)
      .values({
        projectId,
        causeKind: "Test",
        causeId: id,
        dedupeKey: token,
        subject: content.title,
        content,
      })
      .returning({ id: notifications.id });
    if (!notification) throw new Error("The insert returned no notification");
    const [delivery] = await tx
      .insert(deliveries)
      .values({
        notificationId: notification.id,
        projectId,
        recipientId: id,
        recipientName: name,
        channel: type,
        attempts: 1,
        tries: 1,
        leaseToken: token,
        leaseUntil: leaseEnd(),
      })
      .returning({ id: deliveries.id });
    if (!delivery) throw new Error("The insert returned no delivery");
    return { id: delivery.id, recipientId: id, userId: null, token, tries: 1 };
  });
}
