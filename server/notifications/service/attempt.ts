import { eq, getTableColumns } from "drizzle-orm";
import { findPeopleSeeing } from "../../auth/service/people.ts";
import { rejectInTransaction } from "../../db/ambient.ts";
import { db, groupDb } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { decrypt } from "../../db/encryption.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { log } from "../../telemetry/log.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { failSpan, traced } from "../../telemetry/tracing.ts";
import { failed, type Message, type Outcome, type Target } from "../channels/channel.ts";
import { channels } from "../channels/channels.ts";
import { inZone } from "../moments.ts";
import { maxTries } from "../retry-schedule.ts";
import { pictureAddress } from "../signed-pictures.ts";
import { deliveries, notifications, recipients } from "../tables.ts";
import { unsubscribeLinks } from "../unsubscribe.ts";
import { destinationOf, signingSecretOf } from "./recipients.ts";
import type { Claimed } from "./turns.ts";

/** Sends it or returns why not. Anything thrown here is a bug and is retried like a temporary failure. */
export async function attempt({ id, tries }: Claimed, timeoutMs: number): Promise<Outcome> {
  rejectInTransaction("A recipient");
  try {
    // Only happens if processes repeatedly die during the attempt.
    if (tries > maxTries) return failed(`It was interrupted ${maxTries} times`);
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

/** The current delivery: recipients that were removed or disabled since are not notified. */
async function load(id: number): Promise<{ reason: string } | Loaded> {
  const row = await find(id);
  if (!row) throw new Error("A claimed delivery is gone");
  const { delivery, notification, recipient } = row;
  const message: Message = {
    // Includes the time, so that ids stay unique for receivers even if a database is recreated.
    id: `dlv_${delivery.id}_${delivery.createdAt.getTime().toString(36)}`,
    projectId: delivery.projectId,
    cause: { kind: notification.causeKind, id: notification.causeId },
    content: notification.content,
    createdAt: notification.createdAt,
    attachment: await attachmentOf(notification),
  };
  const pictureAt = notification.content.chart ? pictureAddress(notification.id) : null;
  if (pictureAt) message.pictureAddress = pictureAt;
  if (delivery.userId !== null) {
    const [user] = await findPeopleSeeing(db, delivery.projectId, [delivery.userId]);
    if (!user) return { reason: "The user is disabled or no longer has access to the project" };
    return {
      channel: "Email",
      target: { name: user.name, destination: user.email, signingSecret: null },
      message: {
        ...message,
        content: inZone(message.content, user.timeZone),
        ...(notification.causeKind === "PersonalDigest" && { unsubscribe: unsubscribeLinks(user.id) }),
      },
    };
  }
  if (!recipient || recipient.archivedAt !== null) return { reason: "The recipient was deleted" };
  if (!recipient.enabled && notification.causeKind !== "Test") return { reason: "The recipient is disabled" };
  const { name, sealedDestination, signingSecret } = recipient;
  const destination =
    sealedDestination === null
      ? recipient.destination
      : decrypt(sealedDestination, destinationOf(recipient.id));
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

const { attachment: _, ...shown } = getTableColumns(notifications);

const find = gathered(async (ids: readonly number[]) => {
  const found = await toBeSent().execute(idsOf(ids));
  const byId = new Map(found.map((row) => [row.delivery.id, row]));
  return ids.map((id) => byId.get(id));
});

const toBeSent = compiled(
  (database) =>
    database
      .select({ delivery: deliveries, notification: shown, recipient: recipients })
      .from(deliveries)
      .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
      .leftJoin(recipients, eq(recipients.id, deliveries.recipientId))
      .where(isOneOfIds(deliveries.id)),
  groupDb,
);

/** Asked for on its own, since it may be large. */
async function attachmentOf({ id, attachmentName }: { id: number; attachmentName: string | null }) {
  if (attachmentName === null) return null;
  const [stored] = await db
    .select({ gzipped: notifications.attachment })
    .from(notifications)
    .where(eq(notifications.id, id));
  return stored?.gzipped ? { name: attachmentName, gzipped: stored.gzipped } : null;
}
