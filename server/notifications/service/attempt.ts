import { eq } from "drizzle-orm";
import { findEnabledUsers } from "../../auth/service/users.ts";
import { refuseInTransaction } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { decrypt } from "../../encryption.ts";
import { log } from "../../log.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { failed, type Message, type Outcome, type Target } from "../channels/channel.ts";
import { channels } from "../channels/channels.ts";
import { mostTries } from "../retry-schedule.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { signingSecretOf } from "./recipients.ts";
import type { Claimed } from "./turns.ts";

/** Sends it, or says why not. What throws here is a bug, and is tried again like any other trouble. */
export async function attempt({ id, tries }: Claimed, timeoutMs: number): Promise<Outcome> {
  refuseInTransaction("A recipient");
  try {
    // Only a process that dies at it, again and again, leaves one behind that has had all its tries.
    if (tries > mostTries) return failed(`It was interrupted ${mostTries} times`);
    const loaded = await load(id);
    if ("reason" in loaded) return failed(loaded.reason);
    return await send(loaded, timeoutMs);
  } catch (err) {
    log.error({ err, deliveryId: id }, "A notification could not be sent");
    return { isSent: false, isFinal: false, reason: "Internal error" };
  }
}

type Loaded = { channel: keyof typeof channels; target: Target; message: Message };

function send({ channel, target, message }: Loaded, timeoutMs: number): Promise<Outcome> {
  const took = clock();
  return traced(
    "delivery",
    { "plumbline.delivery.channel": channel },
    async (span) => {
      const outcome = await channels[channel](target, message, timeoutMs);
      const result = outcome.isSent ? "sent" : outcome.isFinal ? "failed" : "later";
      metrics.deliveries.inc({ channel, outcome: result });
      metrics.deliverySeconds.observe({ channel }, took());
      if (!outcome.isSent) failSpan(span, result);
      return outcome;
    },
    { kind: "CLIENT" },
  );
}

/** The delivery as it is now: whoever has been removed or switched off since is not told. */
async function load(id: number): Promise<{ reason: string } | Loaded> {
  const [row] = await db
    .select({ delivery: deliveries, notification: notifications, recipient: recipients })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .leftJoin(recipients, eq(recipients.id, deliveries.recipientId))
    .where(eq(deliveries.id, id));
  if (!row) throw new Error("A claimed delivery is gone");
  const { delivery, notification, recipient } = row;
  const message: Message = {
    // The time keeps it from meaning another message to receivers, should a database ever begin anew.
    id: `dlv_${delivery.id}_${delivery.createdAt.getTime().toString(36)}`,
    projectId: delivery.projectId,
    cause: { kind: notification.causeKind, id: notification.causeId },
    content: notification.content,
    createdAt: notification.createdAt,
    attachment:
      notification.attachment && notification.attachmentName
        ? { name: notification.attachmentName, gzipped: notification.attachment }
        : null,
  };
  if (delivery.userId !== null) {
    const [user] = await findEnabledUsers(db, [delivery.userId]);
    if (!user) return { reason: "The user is disabled" };
    return {
      channel: "Email",
      target: { name: user.name, destination: user.email, signingSecret: null },
      message,
    };
  }
  if (!recipient || recipient.archivedAt !== null) return { reason: "The recipient was deleted" };
  if (!recipient.enabled && notification.causeKind !== "Test") return { reason: "The recipient is disabled" };
  const { name, destination, signingSecret } = recipient;
  return {
    channel: recipient.type,
    target: {
      name,
      destination,
      signingSecret: signingSecret && decrypt(signingSecret, signingSecretOf(recipient.id)),
    },
    message,
  };
}
